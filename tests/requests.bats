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

@test "requests: a file at a URL is one for Anthropic too, and again for OpenAI" {
	file='{"type":"input_file","filename":"x.pdf","file_url":"https://h/x.pdf"}'
	message='{"type":"message","role":"user","content":['$file']}'
	printf '%s\n' "$message" >in
	exits 0 ctx-convert --to anthropic in
	quiet
	wrote '{"role":"user","content":[{"type":"document","title":"x.pdf","source":{"type":"url","url":"https://h/x.pdf"}}]}'
	mv out in
	exits 0 ctx-convert --to openai-responses in
	quiet
	wrote "$message"
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
	# at home it is not touched
	[ "$(jq -c '.tools' out)" = "$(jq -c '.tools' in)" ]
	# null is a type, in enum and anyOf too
	tool '{"type":"OBJECT","properties":{"nullable":{"type":"INTEGER","nullable":true,"enum":[1,2]},"s":{"nullable":true,"type":"STRING","enum":["A"]},"u":{"anyOf":[{"type":"STRING"},{"type":"BOOLEAN","nullable":false}],"nullable":true},"e":{"type":"STRING","enum":[],"nullable":true}}}'
	schema '{"type":"object","properties":{"nullable":{"type":["integer","null"],"enum":[1,2,null]},"s":{"type":["string","null"],"enum":["A",null]},"u":{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"null"}]},"e":{"type":["string","null"],"enum":[null]}}}'
	# limits are numbers; what is data is not a schema
	tool '{"type":"ARRAY","minItems":"2","maxItems":"10","items":{"type":"STRING","maxLength":"9","pattern":"9","default":{"type":"OBJECT"},"example":[{"nullable":true}]}}'
	schema '{"type":"array","minItems":2,"maxItems":10,"items":{"type":"string","maxLength":9,"pattern":"9","default":{"type":"OBJECT"},"example":[{"nullable":true}]}}'
	# the proto's numbers of the types
	tool '{"type":6,"properties":{"a":{"type":1},"b":{"type":5,"items":{"type":3,"nullable":true}},"c":{"type":4},"d":{"type":2},"e":{"type":7},"f":{"type":0}}}'
	schema '{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":["integer","null"]}},"c":{"type":"boolean"},"d":{"type":"number"},"e":{"type":"null"},"f":{"type":0}}}'
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

@test "requests: what only other servers know stays out, and is named" {
	given <<-'X'
	{"messages":[{"role":"user","id":"m1","cache_control":{"type":"ephemeral"},"content":[{"type":"text","text":"q","cache_control":{"type":"ephemeral"}},{"type":"document_url","document_url":"https://h/x.pdf"}]},{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"a","type":"function","index":0,"function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"assistant","content":"b","prefix":true}],"tools":[{"type":"function","function":{"name":"f"}}]}
	X
	q='{"type":"text","text":"q"}'
	f='"type":"function","function":{"name":"f","arguments":"{}"}'
	# of API USER ASSISTANT LAST: assert what it is sent
	of() {
		request openai --from openai ${1:+--api $1} --report rep
		jq -c .messages out >got
		echo '[{"role":"user",'"$2"'},{"role":"assistant","content":null,'"$3"'},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"assistant","content":"b"'"$4"'}]' >want
		same got want
	}
	of '' '"content":['"$q"']' '"tool_calls":[{"id":"a",'"$f"'}]' ''
	cp out first
	said 'ctx-convert: lost or changed: thinking (1), images and files (1), members cache_control (2), members extra_content (1), members prefix (1)'
	has '"path":"/messages/0/content/1","what":"left_out","reason":"media"' rep
	has '"path":"/messages/1/tool_calls/0/extra_content","what":"left_out","reason":"member"' rep
	has '"path":"/messages/1/reasoning_content","what":"left_out","reason":"thinking"' rep
	request openai --from openai --api openai
	same out first
	of deepseek '"content":['"$q"']' '"reasoning_content":"hm","tool_calls":[{"id":"a",'"$f"'}]' ',"prefix":true'
	of google '"content":['"$q"']' '"tool_calls":[{"id":"a",'"$f"',"extra_content":{"google":{"thought_signature":"s"}}}]' ''
	of mistral '"content":['"$q"',{"type":"document_url","document_url":"https://h/x.pdf"}]' '"tool_calls":[{"id":"a","type":"function","index":0,'"${f#*,}"'}]' ',"prefix":true'
	of openrouter '"cache_control":{"type":"ephemeral"},"content":[{"type":"text","text":"q","cache_control":{"type":"ephemeral"}}]' '"reasoning_content":"hm","tool_calls":[{"id":"a","type":"function","index":0,'"${f#*,}"'}]' ''
	# a history that is no request keeps everything
	exits 0 ctx-convert --from openai --to openai in
	same out in
	exits 2 ctx-convert --to anthropic --request -m m --api mistral in
	said "ctx-convert: --api mistral needs --to openai
see 'ctx-convert --help'"
	exits 2 ctx-convert --to openai --api mistral in
}

@test "requests: thoughts and signatures of others go to servers that take them" {
	given <<-'X'
	{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}]}
	X
	request openai
	has '"content":null,"tool_calls":\[{"id":"ctx_call_1","type":"function","function":{"name":"f","arguments":"{}"}}\]' out
	said 'ctx-convert: lost or changed: thinking (1), tools without a definition (1), signatures of tool calls (1)'
	request openai --api deepseek
	has '"reasoning_content":"hm","content":null' out
	request openai --api google
	has '"extra_content":{"google":{"thought_signature":"s"}}' out
	said 'ctx-convert: lost or changed: thinking (1), tools without a definition (1)'
}

@test "requests: signatures of Gemini's calls are left out where the API has no place for them" {
	echo '{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"AB=="}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"r"}}}]}]}' >in
	for t in cohere mistral; do
		exits 0 ctx-convert --to $t in
		said 'ctx-convert: lost or changed: signatures of tool calls (1)'
		lacks AB== out
		request $t
		lacks AB== out
	done
	exits 0 ctx-convert --to openai in
	quiet
	has -F '"extra_content":{"google":{"thought_signature":"AB=="}}' out
}

@test "requests: a message of which nothing can be sent keeps a note in its place" {
	note='[This content is not included.]'
	echo '{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"video/mp4","data":"AAAA"}}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"c"}]}]}' >in
	request openai --report rep
	has -F '"messages":[{"role":"user","content":[{"type":"text","text":"'"$note"'"}]},{"role":"assistant","content":"b"},' out
	has -F '{"file":"in","line":1,"what":"made","reason":"note","to":"'"$note"'"}' rep
	said 'ctx-convert: lost or changed: images and files (1)'
	request anthropic
	has -F '"messages":[{"role":"user","content":[{"type":"text","text":"'"$note"'"}]},' out
	request openai-responses
	has -F '"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"'"$note"'"}]},' out
	# also after results, and where the content is a string
	echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"r"},{"role":"user","content":[{"type":"file","file":{"file_id":"file-1"}}]}]}' >in
	request anthropic
	has -F '{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"'"$note"'"}]}' out
	request bedrock --report rep
	has -F '{"toolResult":{"toolUseId":"a","content":[{"text":"r"}]}},{"text":"'"$note"'"}]}' out
	has -F '{"file":"in","line":1,"what":"made","reason":"note","to":"'"$note"'"}' rep
	request gemini
	has -F '"response":{"output":"r"}}},{"text":"'"$note"'"}]}' out
	request ollama --report rep
	has -F '"content":"r"},{"role":"user","content":"'"$note"'"}]' out
	has -F '{"file":"in","line":1,"what":"made","reason":"note","to":"'"$note"'"}' rep
	# calls are enough
	echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"document","source":{"type":"url","url":"u"}},{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}]}' >in
	request openai
	has '{"role":"assistant","content":null,"tool_calls":' out
	# the target's own
	echo '{"messages":[{"role":"user","content":[{"type":"document_url","document_url":"u"}]},{"role":"user","content":null},{"role":"user","content":"q"}]}' >in
	request openai
	has -F '"messages":[{"role":"user","content":[{"type":"text","text":"'"$note"'"}]},{"role":"user","content":"q"}]' out
	said 'ctx-convert: lost or changed: images and files (1)'
}

@test "requests: a message that had nothing but thoughts is named" {
	echo '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"reasoning_content":"hm"},{"role":"user","content":"b"}]}' >in
	for t in openai anthropic openai-responses gemini; do
		request $t
		lacks hm out
		said 'ctx-convert: lost or changed: thinking (1)'
	done
}

@test "requests: half a surrogate pair, which is no character, becomes U+FFFD" {
	given <<-'X'
	{"messages":[{"role":"user","content":"a\ud83d \ud83d\ude00 \\ud83d \uDE00"},{"role":"assistant","content":"b"}]}
	X
	for t in openai anthropic; do
		request $t --report rep
		has -F '"content":"a\ufffd \ud83d\ude00 \\ud83d \ufffd"' out
		said 'ctx-convert: lost or changed: halves of surrogate pairs (2)'
		has '"path":"/messages/0/content","what":"reformed","reason":"surrogate","values":1' rep
	done
	request gemini
	has -F '{"text":"a\ufffd \ud83d\ude00 \\ud83d \ufffd"}' out
	# a history keeps it
	exits 0 ctx-convert --to openai in
	same out in
}

# FNV-1a with 64 bits of $1, whose halves are joined by XOR: eight hex digits.
fnv() {
	python3 -c 'import sys
h = 14695981039346656037
for b in sys.argv[1].encode(): h = (h ^ b) * 1099511628211 % 2**64
print("%08x" % ((h ^ h >> 32) % 2**32))' "$1"
}

@test "requests: names of tools that an API refuses become names that it takes" {
	long=$(printf 'n%.0s' $(seq 65))
	given <<-X
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"a.b","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"ü x","arguments":"{}"}},{"id":"c3","type":"function","function":{"name":"\u0061.b","arguments":"{}"}},{"id":"c4","type":"function","function":{"name":"","arguments":"{}"}},{"id":"c5","type":"function","function":{"name":"$long","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","name":"a.b","content":"r"},{"role":"tool","tool_call_id":"c2","content":"r"},{"role":"tool","tool_call_id":"c3","content":"r"},{"role":"tool","tool_call_id":"c4","content":"r"},{"role":"tool","tool_call_id":"c5","content":"r"}],"tools":[{"type":"function","function":{"name":"a.b"}},{"type":"function","function":{"name":"ok"}},{"type":"function","function":{"name":"$long"}}]}
	X
	a=a_b_$(fnv a.b) u=__x_$(fnv 'ü x')
	l64=$(printf 'n%.0s' $(seq 55))_$(fnv "$long")
	request openai --report rep
	[ "$(jq -r '[.messages[1].tool_calls[].function.name, .messages[2].name] | join(" ")' out)" = "$a $u $a unknown_tool $l64 $a" ]
	[ "$(jq -r '[.tools[].function.name] | join(" ")' out)" = "$a ok $l64 $u unknown_tool" ]
	[ "$(jq -r '[.messages[2:][].tool_call_id] | join(" ")' out)" = 'c1 c2 c3 c4 c5' ]
	said 'ctx-convert: lost or changed: tools without a definition (2), names of tools (8)'
	# the report maps them back
	jq -r 'select(.reason == "tool-name") | .path + " " + .from + " " + .to' rep | sort >got
	sort >want <<-X
	/messages/1/tool_calls/0/function/name a.b $a
	/messages/1/tool_calls/1/function/name ü x $u
	/messages/1/tool_calls/2/function/name a.b $a
	/messages/1/tool_calls/3/function/name  unknown_tool
	/messages/1/tool_calls/4/function/name $long $l64
	/messages/2/name a.b $a
	/tools/0/function/name a.b $a
	/tools/2/function/name $long $l64
	X
	same got want
	# once they have these names, they keep them
	cp out once
	request openai
	jq -c 'del(.model)' once >want
	jq -c 'del(.model)' out >got
	mv once in
	request openai
	jq -c 'del(.model)' out >got
	same got want
	quiet
}

@test "requests: each API has its own rule for names of tools" {
	long=$(printf 'n%.0s' $(seq 65))
	# names NAME: that of the call and of its definition, for the target t
	names() {
		given <<-X
		{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"$1","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}],"tools":[{"name":"$1","input_schema":{"type":"object"}}]}
		X
		request $t
		jq -r '[.. | objects | select(has("name")) | .name] | unique | join(" ")' out
	}
	t=anthropic; [ "$(names "$long")" = "$long" ]; [ "$(names a.b)" = a_b_$(fnv a.b) ]
	t=gemini; [ "$(names "$long")" = "$long" ]; [ "$(names a.b:c-d)" = a.b:c-d ]; [ "$(names 'a b')" = a_b_$(fnv 'a b') ]
	t=openai-responses; [ "$(names "$long")" = "$long" ]; [ "$(names a/b)" = a_b_$(fnv a/b) ]
	t=openai; [ "$(names "$long")" = "$(printf 'n%.0s' $(seq 55))_$(fnv "$long")" ]
	# where there is no request, a name is a name
	exits 0 ctx-convert --to openai in
	has "\"name\":\"$long\"" out
}

@test "requests: tools of a file have the names of their calls, and the report says both" {
	echo '{"messages":[{"role":"user","content":"q"}]}' >in
	echo '[{"name":"a.b","input_schema":{"type":"object"}}]' >tools
	request anthropic --tools tools --report rep
	has "\"tools\":\[{\"name\":\"a_b_$(fnv a.b)\"," out
	has "{\"file\":\"in\",\"line\":1,\"what\":\"made\",\"reason\":\"tool-name\",\"from\":\"a.b\",\"to\":\"a_b_$(fnv a.b)\"}" rep
	said 'ctx-convert: lost or changed: names of tools (1)'
}

@test "requests: images of a type that the API does not read stay out and are named" {
	bmp='{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":"Qk0="}}'
	text='{"type":"text","text":"t"}'
	of_user "$bmp,$text"
	for t in anthropic openai openai-responses gemini; do
		request $t --report rep
		lacks Qk0= out
		said 'ctx-convert: lost or changed: images and files (1)'
		has '"path":"/messages/0/content/0","what":"left_out","reason":"media","type":"image"' rep
	done
	request anthropic
	wrote '{"model":"m","messages":[{"role":"user","content":['"$text"']}],"max_tokens":4096}'
	# Gemini reads HEIC, the others do not; a type that is spelled wrong is mended
	of_user "${bmp/bmp/heic},$text"
	request gemini
	has '"mimeType":"image/heic"' out
	request openai
	lacks heic out
	of_user "${bmp/bmp/jpg},$text"
	request anthropic --report rep
	quiet
	has '"media_type":"image/jpeg","data":"Qk0="' out
	has '"what":"renamed","reason":"type","from":"image/jpg","to":"image/jpeg"' rep
	# in a result there is a note in its place
	given <<-X
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[$bmp]}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}
	X
	request anthropic
	has -F '"content":[{"type":"text","text":"[This content is not included.]"}]' out
	# a history keeps it
	exits 0 ctx-convert --to anthropic in
	same out in
}

@test "requests: what is missing, null or foreign in the API's own messages is mended" {
	call='{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}'
	tools='"tools":[{"type":"function","function":{"name":"f"}}]'
	# a call without its type, as nanocoder writes it, and members that are null
	given <<-X
	{"messages":[{"role":"user","content":"q","name":null},{"role":"assistant","content":"a","tool_calls":null,"refusal":null},{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}],$tools}
	X
	request openai
	quiet
	has -F '"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","refusal":null},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":['"$call"']},{"role":"tool","tool_call_id":"c","content":"r"}]' out
	# results hold texts; OpenRouter takes images in them
	image='{"type":"image_url","image_url":{"url":"https://h/x.png"}}'
	given <<-X
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[$call]},{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"t"},$image]}],$tools}
	X
	request openai
	has -F '{"role":"tool","tool_call_id":"c","content":"t"}' out
	said 'ctx-convert: lost or changed: images and files (1)'
	request openai --api openrouter
	quiet
	has -F "$image" out
}

@test "requests: Anthropic's blocks have their own members, and thinking is signed" {
	tools='"tools":[{"name":"f","input_schema":{"type":"object"}}]'
	given <<-X
	{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"thinking","thinking":"u","signature":"s"},{"type":"text","text":"a","citations":null,"x":1},{"type":"tool_use","id":"a","name":"f","input":{"x":1},"index":0}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","name":"f","content":[{"type":"text","text":"r","y":1}]}]}],$tools}
	X
	request anthropic --report rep
	wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"u","signature":"s"},{"type":"text","text":"a","citations":null},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"}]}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"max_tokens":4096}'
	said 'ctx-convert: lost or changed: thinking (1), members x (1), members name (1), members y (1)'
	has '"path":"/messages/1/content/0","what":"left_out","reason":"thinking"' rep
	# of a block that is not known here, all is
	given <<-X
	{"messages":[{"role":"user","content":[{"type":"new_block","any":{"x":[1]}},{"type":"text","text":"q"}]}]}
	X
	request anthropic --from anthropic
	quiet
	has -F '{"type":"new_block","any":{"x":[1]}}' out
}

@test "requests: of a lone result, or a lone call, nothing is left" {
	for m in '{"role":"tool","tool_call_id":"c","content":"r"}' \
	    '{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
	do
		for t in openai anthropic; do
			echo "$m" >in
			exits 3 ctx-convert --to $t --request -m m in
			says '*in:1: nothing of the conversation is left to convert'
			[ ! -s out ]
		done
	done
	echo '{"role":"tool","tool_call_id":"c","content":"r"}' >in
	exits 3 ctx-convert --to openai --shape conversation in
	says '*in:1: nothing of the conversation is left to convert'
	[ ! -s out ]
}

@test "requests: calls and thinking in a message of the user's are left out" {
	call='{"type":"tool_use","id":"t","name":"f","input":{}}'
	rest='{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]},{"role":"assistant","content":[{"type":"text","text":"b"}]}'
	echo '{"messages":[{"role":"user","content":[{"type":"text","text":"a"},'"$call]},$rest]}" >in
	request openai --report rep
	wrote '{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}'
	says '*: lost or changed: tool calls without a result (1), tool results without a call (1)'
	has '"path":"/messages/0/content/1","what":"left_out","reason":"call","type":"tool_use"' rep
	request gemini
	wrote '{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]}'
	# nothing else is in the message
	echo '{"messages":[{"role":"user","content":['"$call]},$rest]}" >in
	request openai-responses
	wrote '{"model":"m","input":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b","annotations":[]}]}]}'
	says '*tool calls without a result (1), tool results without a call (1)*'
	echo '{"contents":[{"role":"user","parts":[{"text":"t","thought":true},{"text":"a"}]}]}' >in
	exits 0 ctx-convert --to ai-sdk in
	wrote '{"messages":[{"role":"user","content":"a"}]}'
	says '*: lost or changed: thinking (1)'
}

@test "requests: OpenAI refuses a name that is null, and a call without a type" {
	given <<-'X'
	{"role":"user","content":"q","name":null,"tool_calls":null,"tool_call_id":null}
	{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"n\":1.0}"}}]}
	{"role":"tool","tool_call_id":"c","content":"r"}
	{"role":"assistant","content":"a","refusal":null,"tool_calls":null}
	X
	request openai
	wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":1.0}"}}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"assistant","content":"a","refusal":null}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}'
	# a history keeps them
	exits 0 ctx-convert --to openai in
	same out in
}

@test "requests: names of tools fit, too, if the source has results beside their calls" {
	cat >in <<-'X'
	{"message":{"role":"user","content":"q"},"contextItems":[]}
	{"message":{"role":"assistant","content":"","toolCalls":[{"id":"c"},{"id":"d","function":{"name":"no.dots","arguments":"{}"}}]},"contextItems":[],"toolCallStates":[{"toolCallId":"c","status":"done","output":[{"content":"r"}]},{"toolCallId":"d","status":"done","output":[{"content":"s"}]}]}
	X
	request openai
	jq -r '.messages[].tool_calls[]?.function.name, .tools[].function.name' out >got
	[ "$(sed -n '1p;3p' got | uniq)" = unknown_tool ]
	[ "$(sed -n '2p;4p' got | uniq | sed 's/[0-9a-f]*$//')" = no_dots_ ]
	says '*names of tools (3)*'
	cp got want
	request gemini
	jq -r '.contents[].parts[].functionCall.name? // empty, .tools[].functionDeclarations[].name' out >got
	[ "$(jq -r '.contents[].parts[].functionResponse.name? // empty' out | paste -s -d ' ' -)" = "$(sed -n 1,2p got | paste -s -d ' ' -)" ]
	[ "$(sed -n 1p got)" = unknown_tool ]
}

@test "requests: a call of no tool is one of an unknown tool" {
	echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function","function":{}},{"id":"d","type":"function","function":{"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"tool","tool_call_id":"d","content":"s"}]}' >in
	request openai
	wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function","function":{"name":"unknown_tool","arguments":"{}"}},{"id":"d","type":"function","function":{"name":"unknown_tool","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"},{"role":"tool","tool_call_id":"d","content":"s"}],"tools":[{"type":"function","function":{"name":"unknown_tool","parameters":{"type":"object"}}}]}'
	exits 1 ctx-clean --check in
	wrote 'in:1:92: error[tool-name]: name of a tool is missing, too long or has other characters than the API takes' \
	    'in:1:135: error[tool-name]: name of a tool is missing, too long or has other characters than the API takes'
	echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"c"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}]}' >in
	request anthropic
	wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"unknown_tool","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}],"tools":[{"name":"unknown_tool","input_schema":{"type":"object"}}],"max_tokens":4096}'
}

@test "requests: Anthropic refuses thinking that is not signed" {
	given <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"a","citations":[]}]}
	{"role":"user","content":"r"}
	{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"b"}]}
	{"role":"user","content":"s"}
	X
	request anthropic --report rep
	wrote '{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a","citations":[]}]},{"role":"user","content":"r"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"b"}]},{"role":"user","content":"s"}],"max_tokens":4096}'
	said 'ctx-convert: lost or changed: thinking (1)'
	has '"path":"/content/0","what":"left_out","reason":"thinking"' rep
	# a history keeps it
	exits 0 ctx-convert --to anthropic in
	same out in
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

@test "requests: an input that is a string is a message of the user" {
	echo '{"model":"m","instructions":"s","input":"q \u00e9"}' >in
	exits 0 ctx-convert --to openai in
	wrote '{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"q \u00e9"}]}'
	request anthropic
	wrote '{"model":"m","system":"s","messages":[{"role":"user","content":"q \u00e9"}],"max_tokens":4096}'
	# in its own dialect it stays, but in a request it is written as messages are
	exits 0 ctx-convert --to openai-responses in
	same out in
	request openai-responses
	wrote '{"model":"m","instructions":"s","input":[{"role":"user","content":"q \u00e9"}]}'
	# the filters
	for c in 'ctx-clean' 'ctx-truncate -n 1 --note' 'ctx-summarize --engine offline -t 1' \
	    'ctx-digest-files'; do
		about "$c"
		exits 0 $c <in
		same out in
	done
	exits 0 ctx-count -e chars --json in
	[ "$(jq .messages out)" -eq 2 ]
	exits 0 ctx-store append --db s.db --split t in
	exits 0 ctx-store load --db s.db t
	printf '%s\n' '{"role":"system","content":"s"}' '{"role":"user","content":"q \u00e9"}' >want
	same out want
	sed 's/q /AKIAQ2W3E4R5T6Y7UIOP /' in >secret
	exits 0 ctx-clean --redact secret
	lacks AKIA out
	# records of other programs
	echo '{"input":"q","output":"a"}' >in
	exits 3 ctx-convert --to openai in
	echo '{"model":"m","input":"q","output":"a"}' >in
	exits 3 ctx-convert --to openai in
}

# asked: a history with a call, and files of a prompt and of its tool.
asked() {
	given <<-'X'
	{"role":"user","content":"q"}
	{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"ls","arguments":"{}"}}]}
	{"role":"tool","tool_call_id":"toolu_1","content":"r"}
	X
	printf 'Be "brief".\n\n' >sys
	echo '[{"name":"ls","description":"d","input_schema":{"type":"object"}}]' >tools
}

# of MODEL TARGET [OPTION...]: write the request to a model.
of() { exits 0 ctx-convert --to "$2" --request -m "$1" "${@:3}" in; }

@test "requests: a prompt, tools, a limit, a stream, the cache and a choice, for each API" {
	asked
	all=(--system sys --tools tools --max-output 9 --stream --cache --tool-choice ls)
	request openai "${all[@]}"
	quiet
	key=$(jq -r .prompt_cache_key out)
	[[ "$key" =~ ^ctx-[0-9a-f]{32}$ ]]
	wrote '{"model":"m","messages":[{"role":"system","content":"Be \"brief\"."},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"toolu_1","content":"r"}],"tools":[{"type":"function","function":{"name":"ls","description":"d","parameters":{"type":"object"}}}],"prompt_cache_key":"'"$key"'","max_completion_tokens":9,"stream":true,"stream_options":{"include_usage":true},"tool_choice":{"type":"function","function":{"name":"ls"}}}'
	request openai-responses "${all[@]}"
	key=$(jq -r .prompt_cache_key out)
	wrote '{"model":"m","input":[{"type":"message","role":"system","content":[{"type":"input_text","text":"Be \"brief\"."}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]},{"type":"function_call","call_id":"toolu_1","name":"ls","arguments":"{}"},{"type":"function_call_output","call_id":"toolu_1","output":"r"}],"tools":[{"type":"function","name":"ls","description":"d","strict":false,"parameters":{"type":"object"}}],"prompt_cache_key":"'"$key"'","max_output_tokens":9,"stream":true,"tool_choice":{"type":"function","name":"ls"}}'
	request anthropic "${all[@]}"
	mark='"cache_control":{"type":"ephemeral"}'
	wrote '{"model":"m","system":[{"type":"text","text":"Be \"brief\".",'"$mark"'}],"messages":[{"role":"user","content":[{"type":"text","text":"q",'"$mark"'}]},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"r",'"$mark"'}]}],"tools":[{"name":"ls","description":"d","input_schema":{"type":"object"},'"$mark"'}],"max_tokens":9,"stream":true,"tool_choice":{"type":"tool","name":"ls"}}'
	request gemini "${all[@]}"
	wrote '{"systemInstruction":{"parts":[{"text":"Be \"brief\"."}]},"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"id":"toolu_1","name":"ls","args":{}},"thoughtSignature":"skip_thought_signature_validator"}]},{"role":"user","parts":[{"functionResponse":{"id":"toolu_1","name":"ls","response":{"output":"r"}}}]}],"tools":[{"functionDeclarations":[{"name":"ls","description":"d","parametersJsonSchema":{"type":"object"}}]}],"generationConfig":{"maxOutputTokens":9},"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["ls"]}}}'
	of us.anthropic.claude-sonnet-4-5-20250929-v1:0 bedrock "${all[@]}"
	quiet
	point='{"cachePoint":{"type":"default"}}'
	wrote '{"modelId":"us.anthropic.claude-sonnet-4-5-20250929-v1:0","system":[{"text":"Be \"brief\"."},'"$point"'],"messages":[{"role":"user","content":[{"text":"q"},'"$point"']},{"role":"assistant","content":[{"toolUse":{"toolUseId":"toolu_1","name":"ls","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"toolu_1","content":[{"text":"r"}]}},'"$point"']}],"toolConfig":{"tools":[{"toolSpec":{"name":"ls","description":"d","inputSchema":{"json":{"type":"object"}}}},'"$point"'],"toolChoice":{"tool":{"name":"ls"}}},"inferenceConfig":{"maxTokens":9}}'
	# Nova has no points in tools, and other models have none
	of amazon.nova-pro-v1:0 bedrock "${all[@]}"
	[ "$(jq -c '.toolConfig.tools | length' out)" = 1 ]
	[ "$(grep -o cachePoint out | wc -l)" -eq 3 ]
	of meta.llama3-70b bedrock "${all[@]}"
	said 'ctx-convert: --cache: meta.llama3-70b is not known to have cache points'
	lacks cachePoint out
	request mistral "${all[@]}"
	[ "$(jq -c '[.tools, .prompt_cache_key | type]' out)" = '["array","string"]' ]
	has '"max_tokens":9,"stream":true,"tool_choice":{"type":"function","function":{"name":"ls"}}}$' out
	request ollama --system sys --tools tools --max-output 9 --stream --cache
	has '}}}\],"options":{"num_predict":9},"stream":true}$' out
	request cohere --system sys --tools tools --max-output 9 --stream --tool-choice required
	has '}}}\],"max_tokens":9,"stream":true,"tool_choice":"REQUIRED"}$' out
	# the servers of a dialect
	request openai --api mistral --max-output 9 --stream --cache
	has '"max_tokens":9,"stream":true}$' out
	request openai --api deepseek --max-output 9 --stream --cache
	has '}}\],"max_tokens":9,"stream":true,"stream_options":{"include_usage":true}}$' out
	of anthropic/claude-x openai --api openrouter --cache
	has '"cache_control":{"type":"ephemeral"}}$' out
}

@test "requests: the choice of tools is said as each API wants it, or refused" {
	asked
	for t in 'openai:"auto":"none":"required"' 'openai-responses:"auto":"none":"required"' \
	    'mistral:"auto":"none":"required"' 'cohere:null:"NONE":"REQUIRED"'; do
		IFS=: read -r to auto none required <<<"$t"
		for how in auto none required; do
			request "$to" --tool-choice "$how"
			[ "$(jq -c .tool_choice out)" = "${!how}" ]
		done
	done
	request anthropic --tool-choice auto
	has ',"tool_choice":{"type":"auto"}}$' out
	request anthropic --tool-choice none
	has ',"tool_choice":{"type":"none"}}$' out
	request anthropic --tool-choice required
	has ',"tool_choice":{"type":"any"}}$' out
	request gemini --tool-choice none
	has ',"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}$' out
	request bedrock --tool-choice required
	has '}\],"toolChoice":{"any":{}}}}$' out
	# a tool whose name is another one there
	echo '[{"name":"a.b","parameters":{}}]' >tools
	request openai --tools tools --tool-choice a.b
	has ',"tool_choice":{"type":"function","function":{"name":"a_b_e27bcb35"}}}$' out
	exits 2 ctx-convert --to openai --request -m m --tool-choice cat in
	has '^ctx-convert: in: tool choice cat: there is no such tool; give its definition$' err
	for t in ollama:ls ollama:none bedrock:none cohere:ls; do
		exits 2 ctx-convert --to "${t%:*}" --request -m m --tool-choice "${t#*:}" in
		says "ctx-convert: the API of ${t%:*} has no tool choice ${t#*:}*"
	done
	# without tools there is nothing to choose
	echo '{"role":"user","content":"q"}' >in
	request openai --tool-choice auto
	wrote '{"model":"m","messages":[{"role":"user","content":"q"}]}'
	exits 2 ctx-convert --to openai --request -m m --tool-choice required in
}

@test "requests: a tool that takes free text is defined as each of OpenAI's APIs wants it" {
	chat='{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"custom","custom":{"name":"run","input":"x"}}]},{"role":"tool","tool_call_id":"c1","content":"1"}'
	items='{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]},{"type":"custom_tool_call","call_id":"c1","name":"run","input":"x"},{"type":"custom_tool_call_output","call_id":"c1","output":"1"}'
	echo '{"model":"m","messages":['"$chat"'],"tools":[{"type":"custom","custom":{"name":"run","description":"d","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"[a-z]\\d"}}}},{"type":"custom","custom":{"name":"say","format":{"type":"text"}}}]}' >in
	cp in chat
	request openai-responses --tool-choice run
	wrote '{"model":"m","input":['"$items"'],"tools":[{"type":"custom","name":"run","description":"d","format":{"type":"grammar","syntax":"regex","definition":"[a-z]\\d"}},{"type":"custom","name":"say","format":{"type":"text"}}],"tool_choice":{"type":"custom","name":"run"}}'
	mv out in
	request openai
	same out chat
	request openai --tool-choice say
	has -F '"tool_choice":{"type":"custom","custom":{"name":"say"}}}' out
	# one without a definition gets one of its kind
	echo '{"input":['"$items"']}' >in
	exits 0 ctx-convert --to openai --request -m m in
	wrote '{"model":"m","messages":['"$chat"'],"tools":[{"type":"custom","custom":{"name":"run"}}]}'
	# others have functions only; Anthropic calls its own tools so
	exits 0 ctx-convert --to openai --api groq --request -m m in
	has -F '"tools":[{"type":"function","function":{"name":"run","parameters":{"type":"object"}}}]' out
	exits 0 ctx-convert --to anthropic --request -m m chat
	has -F '"tools":[{"name":"run","description":"d","input_schema":{"type":"object"}},' out
	echo '[{"type":"custom","name":"f","input_schema":{"type":"object","title":"t"}}]' >tools
	echo '{"role":"user","content":"q"}' >in
	request openai --tools tools
	has -F '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","title":"t"}}}]' out
}

@test "requests: a request of the same API keeps its members, and no other does" {
	given <<-'X'
	{"model":"old","temperature":0.50,"store":true,"metadata":{"k":"v"},"id":"x","max_tokens":7,"stop":null,"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"ls","strict":true}},{"type":"custom","custom":{"name":"c"}}],"tool_choice":"auto"}
	X
	of gpt-4o openai
	quiet
	wrote '{"model":"gpt-4o","messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"ls","strict":true}},{"type":"custom","custom":{"name":"c"}}],"temperature":0.50,"store":true,"metadata":{"k":"v"},"max_tokens":7,"tool_choice":"auto"}'
	# a second time
	cp out in
	of gpt-4o openai
	quiet
	same out in
	# what an option says replaces what was there
	of gpt-4o openai --max-output 5 --tool-choice none --set temperature=1 --set metadata.a=b
	wrote '{"model":"gpt-4o","messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"ls","strict":true}},{"type":"custom","custom":{"name":"c"}}],"store":true,"metadata":{"k":"v","a":"b"},"max_completion_tokens":5,"tool_choice":"none","temperature":1}'
	# another API, or a history that is no request, has other members
	of claude-x anthropic
	said 'ctx-convert: lost or changed: members strict (1), members temperature (1), members store (1), members metadata (1), members max_tokens (1), members tool_choice (1)'
	echo '{"messages":[{"role":"user","content":"q"}],"metadata":{"score":1}}' >in
	of m openai
	wrote '{"model":"m","messages":[{"role":"user","content":"q"}]}'
	said 'ctx-convert: lost or changed: members metadata (1)'
	# simple messages of Anthropic look like those of OpenAI
	echo '{"model":"c","max_tokens":4,"stop_sequences":["x"],"messages":[{"role":"user","content":"q"}]}' >in
	of m openai
	wrote '{"model":"m","messages":[{"role":"user","content":"q"}]}'
	exits 0 ctx-convert --from anthropic --to anthropic --request -m m in
	wrote '{"model":"m","messages":[{"role":"user","content":"q"}],"max_tokens":4,"stop_sequences":["x"]}'
}

@test "requests: members in members: Gemini, Bedrock, Ollama" {
	given <<-'X'
	{"contents":[{"role":"user","parts":[{"text":"q"}]}],"generationConfig":{"temperature":1,"maxOutputTokens":5},"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"tools":[{"functionDeclarations":[{"name":"f"}]},{"googleSearch":{}}]}
	X
	of m gemini --max-output 6 --set generationConfig.topP=0.5
	wrote '{"contents":[{"role":"user","parts":[{"text":"q"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]},{"googleSearch":{}}],"generationConfig":{"temperature":1,"maxOutputTokens":6,"topP":0.5},"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}'
	said 'ctx-convert: lost or changed: members maxOutputTokens (1)'
	given <<-'X'
	{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"q"}]}],"inferenceConfig":{"temperature":1,"maxTokens":5},"toolConfig":{"toolChoice":{"any":{}},"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}},{"cachePoint":{"type":"default"}}]}}
	X
	of eu.anthropic.claude-opus-4-8-v1 bedrock
	wrote '{"modelId":"eu.anthropic.claude-opus-4-8-v1","system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"q"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}},{"cachePoint":{"type":"default"}}],"toolChoice":{"any":{}}},"inferenceConfig":{"maxTokens":5}}'
	said 'ctx-convert: lost or changed: members temperature (1)'
	echo '{"model":"l","options":{"num_ctx":4096},"keep_alive":0,"messages":[{"role":"user","content":"q"}]}' >in
	exits 0 ctx-convert --from ollama --to ollama --request -m l --max-output 3 in
	wrote '{"model":"l","messages":[{"role":"user","content":"q"}],"options":{"num_ctx":4096,"num_predict":3},"keep_alive":0}'
}

@test "requests: what a model refuses is left out, or has another name" {
	given <<-'X'
	{"model":"gpt-4o","temperature":0.5,"max_tokens":7,"stop":["x"],"messages":[{"role":"user","content":"q"}]}
	X
	of o3 openai
	wrote '{"model":"o3","messages":[{"role":"user","content":"q"}],"max_completion_tokens":7}'
	said 'ctx-convert: lost or changed: members temperature (1), members stop (1)'
	# which ones take a temperature depends on the effort
	of gpt-5.2 openai
	quiet
	has '"temperature":0.5' out
	of gpt-5-mini openai
	lacks temperature out
	of gpt-5-chat-latest openai
	has '"temperature":0.5' out
	# the user's own word is sent
	of o3 openai --set temperature=0.2 --set max_tokens=4
	has '"temperature":0.2,"max_tokens":4}$' out
	[ "$(cat err)" = 'ctx-convert: o3 refuses temperature, which --set sets
ctx-convert: o3 refuses max_tokens, which --set sets; it takes max_completion_tokens
ctx-convert: lost or changed: members temperature (1), members max_tokens (1), members stop (1)' ]
	given <<-'X'
	{"model":"c","max_tokens":9,"temperature":1,"top_p":0.5,"top_k":4,"system":"s","messages":[{"role":"user","content":"q"}]}
	X
	of claude-opus-4-8 anthropic
	wrote '{"model":"claude-opus-4-8","system":"s","messages":[{"role":"user","content":"q"}],"max_tokens":9}'
	of claude-sonnet-4-5 anthropic
	wrote '{"model":"claude-sonnet-4-5","system":"s","messages":[{"role":"user","content":"q"}],"max_tokens":9,"temperature":1,"top_k":4}'
	of claude-3-haiku anthropic
	has '"temperature":1,"top_p":0.5,"top_k":4}$' out
	# a budget of thinking, and a call that is forced
	echo '{"model":"c","max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024},"tool_choice":{"type":"any"},"system":"s","messages":[{"role":"user","content":"q"}],"tools":[{"name":"t","input_schema":{}}]}' >in
	of claude-sonnet-4-5 anthropic
	quiet
	has ',"max_tokens":9,"thinking":{"type":"enabled","budget_tokens":1024},"tool_choice":{"type":"any"}}$' out
	of claude-opus-5-5 anthropic
	has '}\],"max_tokens":9}$' out
	of claude-opus-5-5 anthropic --tool-choice t
	has ',"tool_choice":{"type":"tool","name":"t"}}$' out
	has '^ctx-convert: claude-opus-5-5 refuses a tool choice that makes it call one, which --tool-choice sets$' err
}

@test "requests: --system takes the place of the history's prompt, but not of a summary" {
	printf 'New.\n' >sys
	given <<-'X'
	{"role":"system","content":"old"}
	{"role":"developer","content":"old too"}
	{"role":"system","content":"[Context: Summary of earlier conversation (2 turns)]:\nS"}
	{"role":"user","content":"q"}
	{"role":"system","content":"later"}
	{"role":"user","content":"q2"}
	X
	request openai --system sys --report rep
	wrote '{"model":"m","messages":[{"role":"system","content":"New."},{"role":"system","content":"[Context: Summary of earlier conversation (2 turns)]:\nS"},{"role":"user","content":"q"},{"role":"system","content":"later"},{"role":"user","content":"q2"}]}'
	quiet
	has '"line":1,"path":"","what":"left_out","reason":"replaced"' rep
	has '"what":"made","reason":"message","to":"New."' rep
	# beside the messages, in each API's own form
	echo '{"model":"c","system":[{"type":"text","text":"old"}],"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]}' >in
	request anthropic --system sys
	wrote '{"model":"m","system":"New.","messages":[{"role":"user","content":[{"type":"text","text":"q"}]}],"max_tokens":4096}'
	echo '{"model":"c","instructions":"old","input":"q"}' >in
	request openai-responses --system sys
	wrote '{"model":"m","input":[{"type":"message","role":"system","content":[{"type":"input_text","text":"New."}]},{"role":"user","content":"q"}]}'
	echo '{"systemInstruction":{"parts":[{"text":"old"}]},"contents":[{"role":"user","parts":[{"text":"q"}]}]}' >in
	request gemini --system sys
	wrote '{"systemInstruction":{"parts":[{"text":"New."}]},"contents":[{"role":"user","parts":[{"text":"q"}]}]}'
	# as if the history began with it
	for t in openai openai-responses anthropic gemini bedrock cohere ollama mistral; do
		echo '{"role":"user","content":"q"}' >in
		request $t --system sys
		mv out want
		{ exits 0 ctx-convert --from text --role system sys; cat out in; } >in2
		mv in2 in
		request $t
		same out want
	done
	: >empty
	exits 3 ctx-convert --to openai --request -m m --system empty in
	said 'ctx-convert: empty: is empty'
	printf 'a\377' >bad
	exits 3 ctx-convert --to openai --request -m m --system bad in
	said 'ctx-convert: bad: is not UTF-8 text'
	exits 4 ctx-convert --to openai --request -m m --system none in
}

@test "requests: marks for the cache are four at most, and those that are there count" {
	mark='"cache_control":{"type":"ephemeral"}'
	old='{"type":"text","text":"o",'"$mark"'}'
	# the oldest in the messages go first; an hour comes before five minutes
	echo '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],"tools":[{"name":"t","input_schema":{}},{"name":"d","input_schema":{},"defer_loading":true}],"messages":[{"role":"user","content":['"$old"']},{"role":"assistant","content":"a"},{"role":"user","content":['"$old"']},{"role":"assistant","content":"b"},{"role":"user","content":['"$old"']},{"role":"assistant","content":[{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}' >in
	request anthropic --cache
	wrote '{"model":"m","system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],"messages":[{"role":"user","content":[{"type":"text","text":"o"}]},{"role":"assistant","content":"a"},{"role":"user","content":[{"type":"text","text":"o"}]},{"role":"assistant","content":"b"},{"role":"user","content":['"$old"']},{"role":"assistant","content":[{"type":"text","text":"c"}]},{"role":"user","content":[{"type":"text","text":"d",'"$mark"'}]}],"tools":[{"name":"t","input_schema":{},"cache_control":{"type":"ephemeral","ttl":"1h"}},{"name":"d","input_schema":{},"defer_loading":true}],"max_tokens":9}'
	cp out in
	request anthropic --cache
	same out in
	# one that is removed asks for nothing
	echo '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}},{"type":"text","text":"t"}],"messages":[{"role":"user","content":[{"type":"text","text":"o","cache_control":{"type":"ephemeral","ttl":"1h"}}]},{"role":"assistant","content":"a"},{"role":"user","content":['"$old"']},{"role":"assistant","content":"b"},{"role":"user","content":"d"}]}' >in
	request anthropic --cache
	wrote '{"model":"m","system":[{"type":"text","text":"s",'"$mark"'},{"type":"text","text":"t",'"$mark"'}],"messages":[{"role":"user","content":[{"type":"text","text":"o"}]},{"role":"assistant","content":"a"},{"role":"user","content":['"$old"']},{"role":"assistant","content":"b"},{"role":"user","content":[{"type":"text","text":"d",'"$mark"'}]}],"max_tokens":9}'
	# where the prompt has them all, the messages get none
	s='{"type":"text","text":"s",'"$mark"'}'
	echo '{"model":"m","max_tokens":9,"system":['"$s,$s,$s,$s"'],"messages":[{"role":"user","content":"d"}]}' >in
	request anthropic --cache
	[ "$(grep -o cache_control out | wc -l)" -eq 4 ]
	# nor if the server moves one itself, and thinking cannot have one
	echo '{"model":"m","max_tokens":9,'"$mark"',"messages":[{"role":"user","content":"d"}]}' >in
	request anthropic --cache
	[ "$(grep -o cache_control out | wc -l)" -eq 1 ]
	echo '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"d"},{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"thinking","thinking":"h","signature":"s"}]}]}' >in
	request anthropic --cache
	has '{"type":"text","text":"t",'"$mark"'},{"type":"thinking"' out
}

@test "requests: the key of the cache stays while the conversation goes on" {
	for t in openai openai-responses; do
		asked
		head -n 1 in >first
		request $t --system sys --tools tools --cache
		jq -r .prompt_cache_key out >want
		mv first in
		request $t --system sys --tools tools --cache
		jq -r .prompt_cache_key out >got
		same got want
		request $t --tools tools --cache
		jq -r .prompt_cache_key out >other
		differs other want
	done
	# one's own stays
	echo '{"model":"m","prompt_cache_key":"mine","messages":[{"role":"user","content":"q"}]}' >in
	request openai --cache
	wrote '{"model":"m","messages":[{"role":"user","content":"q"}],"prompt_cache_key":"mine"}'
}

@test "requests: --set sets, replaces and removes members, and a member of a member" {
	echo '{"role":"user","content":"q"}' >in
	request anthropic --set max_tokens=null --set stop_sequences='["x"]' --set service_tier=auto \
	    --set thinking.type=enabled --set thinking.budget_tokens=1024 --set thinking.type=adaptive --set 'a b=c=d'
	wrote '{"model":"m","messages":[{"role":"user","content":"q"}],"stop_sequences":["x"],"service_tier":"auto","thinking":{"type":"adaptive","budget_tokens":1024},"a b":"c=d"}'
	for name in messages model system; do
		exits 2 ctx-convert --to openai --request -m m --set $name=x in
		says "ctx-convert: --set cannot set $name: *"
	done
	exits 2 ctx-convert --to openai --request -m m --set x in
	says 'ctx-convert: --set needs NAME=VALUE*'
	exits 2 ctx-convert --to openai --set a=b in
}

@test "requests: a part that is only a string, which OpenAI refuses, is left out and counted" {
	for part in '"x"' '{"type":"novel"}'; do
		echo '{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":['"$part"']}]}' >in
		request openai
		wrote '{"model":"m","messages":[{"role":"user","content":"q"}]}'
		has 'lost or changed: parts of type' err
		echo '{"messages":[{"role":"user","content":[{"type":"text","text":"a"},'"$part"']}]}' >in
		request openai
		wrote '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}'
		has 'lost or changed: parts of type' err
	done
}
