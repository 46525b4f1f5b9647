# Requests that providers take: what ctx-convert --request writes has no form that an
# API is known to refuse.

setup() {
	load helpers
	common_setup
}

# request TARGET [OPTION...]: write the request for in, which is one conversation.
request() { exits 0 ctx-convert --to "$1" --request -m m "${@:2}" in; }

# of_user PARTS: a conversation of Anthropic with this content.
of_user() { echo '{"messages":[{"role":"user","content":['"$1"']}]}' >in; }

# in_gemini TYPE DATA: a conversation of Gemini with an attachment.
in_gemini() {
	echo '{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"'"$1"'","data":"'"$2"'"}},{"text":"t"}]}]}' >in
}

@test "requests: OpenAI refuses data of a file without a name, so it gets one" {
	pdf='{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}'
	data='"file_data":"data:application/pdf;base64,JVBERi0="'
	of_user "$pdf"
	request openai
	wrote '{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"filename":"file.pdf",'"$data"'}}]}]}'
	request openai-responses
	wrote '{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_file","filename":"file.pdf",'"$data"'}]}]}'
	quiet
	# its own name stays, and a link needs none
	of_user "${pdf/\"type\":\"document\"/\"type\":\"document\",\"title\":\"a \\u00e9\"}"
	request openai
	has '"filename":"a \\u00e9"' out
	of_user '{"type":"document","source":{"type":"url","url":"https://h/x.pdf"}}'
	request openai-responses
	has '{"type":"input_file","file_url":"https://h/x.pdf"}' out
	in_gemini application/x-unknown AAAA
	request openai
	has '"filename":"file"' out
}

@test "requests: a document of plain text, which only Anthropic has, becomes a text" {
	doc='{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a \u00e9"}}'
	for t in openai openai-responses gemini; do
		of_user "$doc"
		request $t --report rep
		quiet
		has '"a \\u00e9"' out
		lacks base64 out
		has '"path":"/messages/0/content/0/source/media_type","what":"renamed"' rep
	done
	for t in langchain ai-sdk pydantic-ai; do
		exits 0 ctx-convert --to $t in
		quiet
		has '"a \\u00e9"' out
		lacks base64 out
	done
	exits 0 ctx-convert --to text in
	[ "$(cat out)" = "USER: a é" ]
	# at home it stays a document, also beside what must be told anew
	request anthropic
	has -F "$doc" out
	# one without a text is no text
	of_user "${doc/a \\u00e9/}"',{"type":"text","text":"t"}'
	request openai
	said 'ctx-convert: lost or changed: images and files (1)'
}

@test "requests: audio is input_audio for OpenAI, and what no part can hold is named" {
	for type in audio/mp3 audio/mpeg audio/wav audio/x-wav; do
		in_gemini $type SUQz
		request openai --report rep
		quiet
		case $type in *wav) f=wav ;; *) f=mp3 ;; esac
		wrote '{"model":"m","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"SUQz","format":"'$f'"}},{"type":"text","text":"t"}]}]}'
		has '"path":"/contents/0/parts/0/inlineData/mimeType","what":"renamed","reason":"format",.*"to":"'$f'"' rep
	done
	for type in audio/ogg video/mp4; do
		in_gemini $type SUQz
		request openai
		wrote '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"t"}]}]}'
		said 'ctx-convert: lost or changed: images and files (1)'
	done
	# Responses has no part for it at all
	in_gemini audio/mp3 SUQz
	request openai-responses
	lacks SUQz out
	said 'ctx-convert: lost or changed: images and files (1)'
	# and back
	of_user '{"type":"input_audio","input_audio":{"data":"SUQz","format":"wav"}},{"type":"text","text":"t"}'
	request gemini --report rep
	quiet
	has '"inlineData":{"mimeType":"audio/wav","data":"SUQz"}' out
	has '"path":"/messages/0/content/0/input_audio/format","what":"renamed","reason":"type",.*"to":"audio/wav"' rep
}

@test "requests: an empty list of contents is none" {
	call='"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]'
	given <<-X
	{"messages":[{"role":"user","content":"q"},{"role":"user","content":[ ]},{"role":"assistant","content":[],$call},{"role":"tool","tool_call_id":"a","content":[]}]}
	X
	request openai
	has -F '"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,'"$call"'},{"role":"tool","tool_call_id":"a","content":""}]' out
	has 'empty texts (1)' err
	# in a history that is not a request it may stay
	exits 0 ctx-convert --to openai in
	same out in
	given <<-'X'
	{"input":[{"type":"message","role":"user","content":[]},{"type":"message","role":"user","content":"q"}]}
	X
	request openai-responses
	wrote '{"model":"m","input":[{"type":"message","role":"user","content":"q"}]}'
}

@test "requests: without a message there is none" {
	for line in '{"messages":[]}' '{"input":[]}' '{"contents":[]}' \
	    '{"messages":[{"role":"user","content":[]}]}' '{"contents":[{"role":"user","parts":[]}]}' \
	    '{"input":[{"type":"message","role":"user","content":[]}]}'; do
		echo "$line" >in
		for t in openai anthropic openai-responses gemini bedrock cohere \
		    mistral ollama; do
			exits 3 ctx-convert --to $t --request -m m in
			lacks . out
			has '^ctx-convert: in:1: nothing of the conversation is left to convert' err
		done
	done
	# a system prompt is a message where it is among them
	echo '{"system":"s","messages":[]}' >in
	request openai
	exits 3 ctx-convert --to anthropic --request -m m in
}

@test "requests: ids are as long as the API takes: 40 bytes for OpenAI, 64 for Responses" {
	for n in 40 41 64 65; do
		id=$(printf 'i%.0s' $(seq $n))
		given <<-X
		{"input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"$id","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"$id","output":"r"}]}
		X
		request openai-responses
		[ "$(jq -r '.input[1].call_id == .input[2].call_id' out)" = true ]
		len=$(jq -r '.input[1].call_id | length' out)
		if [ $n -le 64 ]; then [ "$len" = $n ]; else [ "$len" -le 64 ]; fi
		request openai
		[ "$(jq -r '.messages[1].tool_calls[0].id == .messages[2].tool_call_id' out)" = true ]
		len=$(jq -r '.messages[1].tool_calls[0].id | length' out)
		if [ $n -le 40 ]; then [ "$len" = $n ]; else [ "$len" -le 40 ]; fi
	done
}

# tool SCHEMA: a conversation of Gemini with one tool that has these parameters.
tool() {
	echo '{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":'"$1"'}]}]}' >in
}

# schema WANT: assert that its parameters become that, for each other API.
schema() {
	about "$(cat in)"
	echo "$1" >want
	for t in openai anthropic openai-responses; do
		request $t
		quiet
		jq -c '.tools[0] | .input_schema // .parameters // .function.parameters' out >got
		same got want
	done
}

@test "requests: a schema of Gemini's becomes JSON Schema, and stays for Gemini" {
	tool '{"type":"OBJECT","properties":{"a":{"type":"STRING","description":"the A"},"type":{"type":"ARRAY","items":{"type":"NUMBER"}}},"required":["a"]}'
	schema '{"type":"object","properties":{"a":{"type":"string","description":"the A"},"type":{"type":"array","items":{"type":"number"}}},"required":["a"]}'
	request gemini
	quiet
	# a declaration there needs a description
	[ "$(jq -c '.tools' out)" = "$(jq -c '.tools[0].functionDeclarations[0] += {description:""} |
	    .tools[0].functionDeclarations[0] |= {name,description,parameters} | .tools' in)" ]
	# null is a type, in enum and anyOf too
	tool '{"type":"OBJECT","properties":{"nullable":{"type":"INTEGER","nullable":true,"enum":[1,2]},"s":{"nullable":true,"type":"STRING","enum":["A"]},"u":{"anyOf":[{"type":"STRING"},{"type":"BOOLEAN","nullable":false}],"nullable":true},"e":{"type":"STRING","enum":[],"nullable":true}}}'
	schema '{"type":"object","properties":{"nullable":{"type":["integer","null"],"enum":[1,2,null]},"s":{"type":["string","null"],"enum":["A",null]},"u":{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"null"}]},"e":{"type":["string","null"],"enum":[null]}}}'
	# limits are numbers; what is data is not a schema
	tool '{"type":"ARRAY","minItems":"2","maxItems":"10","items":{"type":"STRING","maxLength":"9","pattern":"9","default":{"type":"OBJECT"},"example":[{"nullable":true}]}}'
	schema '{"type":"array","minItems":2,"maxItems":10,"items":{"type":"string","maxLength":9,"pattern":"9","default":{"type":"OBJECT"},"example":[{"nullable":true}]}}'
	# JSON Schema is not touched
	tool '{"type":"object","properties":{"a":{"type":["string","null"]}}}'
	schema '{"type":"object","properties":{"a":{"type":["string","null"]}}}'
	sed 's/"parameters"/"parametersJsonSchema"/; s/"object"/"OBJECT"/' in >in2
	mv in2 in
	schema '{"type":"OBJECT","properties":{"a":{"type":["string","null"]}}}'
	# the report says that it has another form
	tool '{"type":"OBJECT"}'
	request openai --report rep
	has '"path":"/tools/0/functionDeclarations/0/parameters","what":"reformed","reason":"schema","values":1,' rep
}

@test "requests: Bedrock's: system and tools, from and to another API" {
	given <<-'X'
	{"model":"n","system":[{"type":"text","text":"s"}],"max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"E="},{"type":"tool_use","id":"t.1","name":"f","input":{"a":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t.1","content":"r","is_error":true}]}],"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"a":{"type":"number"}}}}]}
	X
	request bedrock --max-output 7
	wrote '{"modelId":"m","system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"E="}}},{"toolUse":{"toolUseId":"t_1","name":"f","input":{"a":1.0}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t_1","content":[{"text":"r"}],"status":"error"}}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","description":"d","inputSchema":{"json":{"type":"object","properties":{"a":{"type":"number"}}}}}}]},"inferenceConfig":{"maxTokens":7}}'
	cp out in
	exits 0 ctx-clean --check in
	exits 0 ctx-convert --to anthropic --request -m m in
	wrote '{"model":"m","system":"s","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"E="},{"type":"tool_use","id":"t_1","name":"f","input":{"a":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t_1","is_error":true,"content":"r"}]}],"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"a":{"type":"number"}}}}],"max_tokens":4096}'
	# to itself, all but the tools is carried as it is
	sed 's/"content":\[{"text":"q"}\]/"content":[{"text":"q"},{"cachePoint":{"type":"default"}}]/; s/{"text":"s"}/&,{"cachePoint":{"type":"default"}}/' in >own
	mv own in
	request bedrock --max-output 7
	same out in
}

@test "requests: Bedrock takes data in its formats, and names of documents only once" {
	file='{"type":"document","title":"a.b_c  (1).pdf","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}'
	of_user "$file,$file,${file/a.b_c  (1)/\\u00e9t\\u00e9}"
	request bedrock
	wrote '{"modelId":"m","messages":[{"role":"user","content":[{"text":"[document]"},{"document":{"format":"pdf","name":"a b c (1)","source":{"bytes":"JVBERi0="}}},{"document":{"format":"pdf","name":"a b c (1) 2","source":{"bytes":"JVBERi0="}}},{"document":{"format":"pdf","name":"t","source":{"bytes":"JVBERi0="}}}]}]}'
	quiet
	of_user '{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/"}},{"type":"image","source":{"type":"url","url":"https://h/x.png"}}'
	request bedrock
	wrote '{"modelId":"m","messages":[{"role":"user","content":[{"image":{"format":"jpeg","source":{"bytes":"/9j/"}}}]}]}'
	said 'ctx-convert: lost or changed: images and files (1)'
	in_gemini video/mp4 AAAA
	request bedrock
	wrote '{"modelId":"m","messages":[{"role":"user","content":[{"video":{"format":"mp4","source":{"bytes":"AAAA"}}},{"text":"t"}]}]}'
	# and gives them to others
	cp out in
	request gemini
	wrote '{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"video/mp4","data":"AAAA"}},{"text":"t"}]}]}'
	echo '{"messages":[{"role":"user","content":[{"document":{"format":"txt","name":"n","source":{"text":"plain"}}},{"document":{"format":"docx","name":"n m","source":{"bytes":"UEs="}}}]}]}' >in
	request openai
	wrote '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"plain"},{"type":"file","file":{"filename":"n m","file_data":"data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,UEs="}}]}]}'
}

@test "requests: Cohere's, Ollama's and Mistral's, from Anthropic's" {
	given <<-'X'
	{"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"document","source":{"type":"url","url":"https://h/x.pdf"}}]},{"role":"assistant","content":[{"type":"tool_use","id":"t-1","name":"f","input":{"a":1.0}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t-1","content":"r"},{"type":"text","text":"go"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}
	X
	url='{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}'
	call='"type":"function","function":{"name":"f","arguments":"{\"a\":1.0}"}}]}'
	tools='"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]'
	request cohere --max-output 7
	wrote '{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"q"},'"$url"']},{"role":"assistant","tool_calls":[{"id":"t-1",'"$call"',{"role":"tool","tool_call_id":"t-1","content":"r"},{"role":"user","content":"go"}],'"$tools"',"max_tokens":7}'
	said 'ctx-convert: lost or changed: images and files (1)'
	request ollama --max-output 7
	wrote '{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"q","images":["iVBORw0KGgo="]},{"role":"assistant","content":"","tool_calls":[{"id":"t-1","function":{"name":"f","arguments":{"a":1.0}}}]},{"role":"tool","tool_call_id":"t-1","tool_name":"f","content":"r"},{"role":"user","content":"go"}],'"$tools"',"options":{"num_predict":7}}'
	said 'ctx-convert: lost or changed: images and files (1)'
	request mistral --max-output 7
	id=$(jq -r '.messages[2].tool_calls[0].id' out)
	[[ $id =~ ^[A-Za-z0-9]{9}$ ]]
	wrote '{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"q"},'"$url"',{"type":"document_url","document_url":"https://h/x.pdf"}]},{"role":"assistant","content":"","tool_calls":[{"id":"'"$id"'",'"$call"',{"role":"tool","tool_call_id":"'"$id"'","content":"r"},{"role":"assistant","content":"[The turn ended here.]"},{"role":"user","content":"go"}],'"$tools"',"max_tokens":7}'
	# ids that fit, and what is already so, stay
	cp out in
	request mistral --max-output 7 --from mistral
	same out in
}

@test "requests: what only Cohere, Ollama or Mistral has becomes what others have" {
	given <<-'X'
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_plan":"p","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":[{"type":"document","document":{"id":"i","data":"r"}}]}]}
	X
	exits 0 ctx-convert --to openai in
	wrote '{"messages":[{"role":"user","content":"q"},{"role":"assistant","reasoning_content":"p","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}]}'
	quiet
	given <<-'X'
	{"messages":[{"role":"user","content":"q","images":["iVBORw0KGgo="]},{"role":"assistant","content":"","thinking":"p","tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"r"}]}
	X
	exits 0 ctx-convert --to anthropic in
	wrote '{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]},{"role":"assistant","content":[{"type":"tool_use","id":"ctx_call_1","name":"f","input":{}}],"ctx_kept":[{"from":"ollama","at":0,"part":{"reasoning_content":"p"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"ctx_call_1","content":"r"}]}]}'
	quiet
	given <<-'X'
	{"messages":[{"role":"user","content":[{"type":"document_url","document_url":"https://h/x.pdf"}]},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"p"}]},{"type":"text","text":"a"}]}]}
	X
	exits 0 ctx-convert --to anthropic in
	wrote '{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"url","url":"https://h/x.pdf"}}]},{"role":"assistant","content":[{"type":"text","text":"a"}],"ctx_kept":[{"from":"mistral","at":0,"part":{"type":"thinking","thinking":[{"type":"text","text":"p"}]}}]}]}'
	quiet
	# a response of theirs is a message
	echo '{"id":"x","message":{"role":"assistant","content":[{"type":"text","text":"a"}],"citations":null},"finish_reason":"COMPLETE"}' >in
	exits 0 ctx-convert --from response --to cohere in
	wrote '{"role":"assistant","content":"a"}'
	echo '{"output":{"message":{"role":"assistant","content":[{"text":"a"}]}},"stopReason":"end_turn","usage":{}}' >in
	exits 0 ctx-convert --from response --to bedrock in
	wrote '{"role":"assistant","content":[{"text":"a"}]}'
	echo '{"model":"m","message":{"role":"assistant","content":"a","thinking":"p"},"done":true}' >in
	exits 0 ctx-convert --from response --to ollama in
	wrote '{"role":"assistant","content":"a","thinking":"p"}'
}

@test "requests: a response that is null is a result without content" {
	call='{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}'
	echo '{"contents":[{"role":"user","parts":[{"text":"q"}]},'"$call"',{"role":"user","parts":[{"functionResponse":{"name":"f","response":null}}]}]}' >in
	request bedrock
	has -F '{"toolResult":{"toolUseId":"ctx_call_1","content":[]}}' out
	request ollama
	has -F '{"role":"tool","tool_name":"f","content":""}' out
	request anthropic
	has -F '"content":""' out
}
