# ctx-clean --images: which images and files it replaces, and by which note.

setup() { load helpers; common_setup; }

# shown SOURCE: print an image in Anthropic's format, and an answer.
shown() {
	printf '{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":%s}]}\n' "$1"
	echo '{"role":"assistant","content":"seen"}'
}

# linked URL: print the same in OpenAI's format.
linked() {
	printf '{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"%s"}}]}\n' "$1"
	echo '{"role":"assistant","content":"seen"}'
}

# noted TEXT: print what remains of either.
noted() {
	printf '{"role":"user","content":[{"type":"text","text":"see"},{"type":"text","text":"[%s, left out]"}]}\n' "$1"
	echo '{"role":"assistant","content":"seen"}'
}

png() { printf '{"type":"base64","media_type":"image/png","data":"%s"}' "$1"; }

@test "images: a note counts the decoded bytes of base64" {
	shown "$(png QUJDQUJDQUJDQUJD)" | given
	noted 'image/png, 12 bytes' | wanted
	becomes ctx-clean --images note
	shown "$(png QUJDQUJDQUJDQUI=)" | given
	noted 'image/png, 11 bytes' | wanted
	becomes ctx-clean --images note
	shown "$(png QUJDQUJDQUJDQQ==)" | given
	noted 'image/png, 10 bytes' | wanted
	becomes ctx-clean --images note
}

# What PHP, .NET and Gson make of the 20 characters iVBORw0KGgo/+w== and type.
@test "images: escapes in base64 and types are read as any reader of JSON does" {
	local type data

	while read -r type data; do
		linked "data:$type;base64,$data" >in
		exits 0 ctx-clean --check in
		quiet
		noted 'image/png, 10 bytes' >want
		becomes ctx-clean --images note
		shown '{"type":"base64","media_type":"'"$type"'","data":"'"$data"'"}' >in
		exits 0 ctx-clean --check in
		quiet
		becomes ctx-clean --images note
	done <<-'X'
	image\/png iVBORw0KGgo\/+w==
	image/png iVBORw0KGgo/\u002Bw==
	image/png iVBORw0KGgo/+w\u003d\u003d
	X
	linked 'data:image\/png;base64,iVBORw0KGgo\/*w==' >in
	exits 1 ctx-clean --check in
	wrote 'in:1:56: error[bad-base64]: data is not base64'
}

@test "images: a picture that is moved out comes back in its own spelling" {
	linked 'data:image\/png;base64,iVBORw0KGgo\/+w\u003d=' >in
	cp in was
	mkdir dir
	exits 0 ctx-clean --images out=dir in
	cp out in
	lacks base64 in
	[ "$(od -An -tx1 dir/*.png | tr -d ' \n')" = 89504e470d0a1a0a3ffb ]
	cp was want
	becomes ctx-clean --images in=dir
}

@test "images: a blob of OpenTelemetry's is an image by its modality" {
	given <<-'X'
	{"role":"user","parts":[{"type":"blob","mime_type":"image/png","modality":"image","content":"QUJDQUJDQUJDQUJD"},{"type":"uri","modality":"image","uri":"https://a.example/x.png"}]}
	{"role":"assistant","parts":[{"type":"text","content":"seen"}]}
	X
	wanted <<-'X'
	{"role":"user","parts":[{"type":"text","content":"[image/png, 12 bytes, left out]"},{"type":"uri","modality":"image","uri":"https://a.example/x.png"}]}
	{"role":"assistant","parts":[{"type":"text","content":"seen"}]}
	X
	becomes ctx-clean --images note
	wanted <<-'X'
	{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJDQUJDQUJDQUJD"}},{"type":"image","source":{"type":"url","url":"https://a.example/x.png"}}]}
	{"role":"assistant","content":"seen"}
	X
	exits 0 ctx-convert --to anthropic in
	same out want
}

@test "images: the report has a line for each image, with its bytes" {
	before='{"type":"image","source":'$(png QUJDQUJDQUJDQUJD)'}'
	after='{"type":"text","text":"[image/png, 12 bytes, left out]"}'
	shown "$(png QUJDQUJDQUJDQUJD)" | given
	exits 0 ctx-clean --images note --report note in
	[ "$(jq -c '[.line, .reason, .bytes, .bytes_after]' note)" = \
	    "[1,\"images\",${#before},${#after}]" ]
	exits 0 ctx-clean --images drop --report drop in
	[ "$(jq -c '[.line, .reason, .bytes, .bytes_after]' drop)" = \
	    "[1,\"images\",${#before},0]" ]
}

@test "images: a note says image if the type is not stated" {
	linked 'data:;base64,QUJD' | given
	noted 'image, 3 bytes' | wanted
	becomes ctx-clean --images note
}

@test "images: URLs and links contain no data, and stay" {
	for url in https://a.example/x.png file:///a/x.png \
	    data:image/png,QUJD; do
		linked "$url" | given
		for how in drop note out=dir; do
			mkdir -p dir
			stays ctx-clean --images "$how"
		done
	done
}

@test "images: an unknown type or invalid base64 is not moved out" {
	mkdir dir
	for url in 'data:image/x-odd;base64,QUJD' 'data:image/png;base64,QU*D'; do
		linked "$url" | given
		stays ctx-clean --images out=dir
	done
	[ -z "$(ls dir)" ]
	linked 'data:image/png;base64,QUJD' | given
	exits 0 ctx-clean --images out=dir in
	[ "$(cat dir/*.png)" = ABC ]
}

@test "images: a result that is only an image becomes a note, or keeps it" {
	returned() { printf '{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"f","tool_call_id":"a","content":%s}]}\n' "$1"; }
	png='{"kind":"binary","media_type":"image/png","data":"QUJDQUJDQUJDQUJD"}'
	for how in note drop; do
		for form in "$png" "[\"see\",$png]"; do
			{
				echo '{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"f","args":"{}","tool_call_id":"a"}]}'
				returned "$form"
				echo '{"kind":"response","parts":[{"part_kind":"text","content":"seen"}]}'
			} >in
			form=${form/"$png"/'"[image/png, 12 bytes, left out]"'}
			form=${form/,*left out]\"]/]}	# of a list, it goes
			{
				head -n 1 in
				returned "$form"
				tail -n 1 in
			} >want
			becomes ctx-clean --images $how
		done
	done
	# OpenAI's API takes nothing else from a computer
	given <<-'X'
	{"type":"computer_call","call_id":"a","action":{"type":"screenshot"}}
	{"type":"computer_call_output","call_id":"a","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,QUJD"}}
	{"type":"message","role":"assistant","content":[{"type":"output_text","text":"seen"}]}
	X
	for how in note drop; do
		stays ctx-clean --images $how
	done
	cp in was
	mkdir dir
	exits 0 ctx-clean --images out=dir in
	cp out in
	lacks base64 in
	cp was want
	becomes ctx-clean --images in=dir
}

@test "images: an image is removed where a text cannot replace it" {
	given <<-'X'
	{"kind":"request","parts":[{"part_kind":"user-prompt","content":["see",{"kind":"binary","media_type":"image/png","data":"QUJDQUJDQUJDQUJD"}]}]}
	{"kind":"response","parts":[{"part_kind":"text","content":"seen"}]}
	X
	wanted <<-'X'
	{"kind":"request","parts":[{"part_kind":"user-prompt","content":["see"]}]}
	{"kind":"response","parts":[{"part_kind":"text","content":"seen"}]}
	X
	becomes ctx-clean --images note
}
