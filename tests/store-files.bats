# ctx-store: code written by models, and files uploaded to threads.

setup() {
	load helpers
	common_setup
	export CTX_DB=$T/db
}

store() { ctx-store "$@"; }

# --- code ------------------------------------------------------------------------

@test "code: it is stored by id, in versions, and listed as a prompt needs it" {
	printf 'import csv\nprint(1)\n' >a.py
	exits 0 store code put S code_sales_analysis --syntax python \
	    --desc '销售数据分析' a.py
	[ "$(jq -c '[.marker,.code_id,.version]' out)" = \
	    '["CODE_SAVED","code_sales_analysis",1]' ]
	exits 0 store code put S code_report_template --syntax html --desc '报告模板' \
	    --out "$T" <<<'<p>'
	[ "$(cat data/code_report_template.html)" = '<p>' ]
	[ "$(ls -A data)" = code_report_template.html ]
	exits 0 store code list --as list S
	wrote '可用代码文件列表：' \
	    '- code_sales_analysis (python) - 销售数据分析' \
	    '- code_report_template (html) - 报告模板' '' \
	    '你可以通过 <code_ref>{code_id}</code_ref> 标签在最终报告中引用这些代码。'
	exits 0 store code list --as message S
	jq -r .content out >text
	store code list --as list S | cmp - text
	exits 0 store code list S
	[ "$(sed -n 1p out | jq -c '[.line_count,.char_count]')" = '[2,20]' ]
	echo 'print(2)' | store code put S code_sales_analysis >out
	exits 0 store code get S code_sales_analysis
	wrote 'print(2)'
	exits 0 store code get S code_sales_analysis@1
	same out a.py
	exits 0 store code list S code_sales_analysis
	[ "$(wc -l <out)" = 2 ]
	exits 0 store code put S x --syntax brainfuck <<<'+'
	says "*is not known; stored as python"
	exits 0 store code rm S x
	exits 1 store code get S x
	for id in ../x /etc/x .x -x 'a/b' '' "$(printf 'a%.0s' $(seq 129))"; do
		exits 2 store code put S -- "$id" </dev/null
	done
	store export >all
	exits 0 store --db b.db import all
	exits 0 store --db b.db export
	same out all
	exits 0 store check --full
}

@test "code: each language has its extension; unknown ones become python, with a warning" {
	local lang ending

	while read -r lang ending; do
		exits 0 store code put --syntax "$lang" --out "$T" S c <<<x
		quiet
		[ -f "data/c.$ending" ] || { echo "$lang"; false; }
	done <<-END
		Python py
		JavaScript js
		HTML html
		CSS css
		SQL sql
		Shell sh
		Bash sh
		Markdown md
		TypeScript ts
		JSON json
		YAML yaml
		XML xml
		R r
		Java java
		C c
		C++ cpp
		C/C++ cpp
		Go go
		Rust rs
		PHP php
		Ruby rb
	END
	exits 0 store code put --syntax cobol --out "$T" S other <<<x
	says "*language 'cobol' is not known; stored as python"
	[ "$(jq -c '[.language,.path]' out)" = "[\"python\",\"$T/data/other.py\"]" ]
	[ -f data/other.py ]
}

@test "code: files are complete, in their folder, and never written through links" {
	exits 0 store code put --workspace S a <<<one
	d=$(store workspace S)
	[ "$(cat "$d/data/a.py")" = one ]
	exits 0 store code put --workspace S a <<<two
	[ "$(cat "$d/data/a.py")" = two ]
	[ "$(ls -A "$d/data")" = a.py ]
	# a link in place of the file is replaced; one in place of the folder is
	# refused
	echo mine >mine
	ln -sf "$T/mine" "$d/data/a.py"
	exits 0 store code put --workspace S a <<<three
	[ "$(cat mine)" = mine ]
	[ "$(cat "$d/data/a.py")" = three ]
	rm -r "$d/data"
	mkdir elsewhere
	ln -s "$T/elsewhere" "$d/data"
	exits 4 store code put --workspace S a <<<four
	[ -z "$(ls -A elsewhere)" ]
	exits 2 store code put --workspace --out . S a <<<x
	exits 4 store code put --out nowhere S a <<<x
}

@test "code: the first comment is the default description; a list has one line for each" {
	printf '# 销售数据分析\nimport csv\n' | store code put S a >out
	[ "$(jq -r .description out)" = 销售数据分析 ]
	store code put S b --desc $'two\nlines' <<<x >out
	exits 0 store code list --as list S
	[ "$(sed -n 3p out)" = '- b (python) - two lines' ]
	exits 0 store code list --as list --lang en S
	[ "$(sed -n 1p out)" = 'Code files available:' ]
	CTX_LANG=en exits 0 store code list --as message S
	[[ "$(jq -r .content out)" == 'Code files available:'* ]]
	CTX_LANG=fr exits 2 store code list S
	exits 3 store code put S c --desc $'\377' <<<x
	says '*the description is not UTF-8'
}

# --- uploads -----------------------------------------------------------------

@test "upload: files are stored, digested, listed, removed" {
	printf 'date,product,amount,region\n2024,a,1,x\n2024,b,2,y\n' >sales.csv
	printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\020\0\0\0\010' >chart.png
	exits 0 store upload put S sales.csv chart.png
	quiet
	d=$(store workspace S)
	jq -c '[.marker,.file_id,.kind,.mime,.version,.size,.line_count]' out >rows
	given <<-END
		["FILE_SAVED","sales.csv","CSV","text/csv",1,49,3]
		["FILE_SAVED","chart.png","PNG","image/png",1,24,null]
	END
	same rows in
	[ "$(sed -n 1p out | jq -r .path)" = "$d/uploads/sales.csv" ]
	same "$d/uploads/sales.csv" sales.csv
	exits 0 store upload get S sales.csv
	same out sales.csv
	exits 0 store upload list --as list S
	wrote '可用上传文件列表：' \
	    '- sales.csv (CSV, 2行, 列: date, product, amount, region)' \
	    "- chart.png ($(ctx-digest-files chart.png | sed 's/.*(//; s/)$//'))" '' \
	    '你可以通过 <file_ref>{file_id}</file_ref> 标签在最终报告中引用这些文件。'
	cp out list
	exits 0 store upload list --as message S
	[ "$(jq -r .role out)" = system ]
	jq -r .content out | cmp - list
	exits 0 store upload list --lang en S
	[ "$(sed -n 1p out | jq -r .digest)" = "$(ctx-digest-files sales.csv |
	    sed 's/^.file read. //')" ]
	echo '2024,c,3,z' >>sales.csv
	exits 0 store upload put S sales.csv
	[ "$(jq .version out)" = 2 ]
	exits 0 store upload put S sales.csv
	[ "$(jq .version out)" = 2 ]
	exits 0 store upload list S sales.csv
	[ "$(wc -l <out)" = 2 ]
	exits 0 store upload list S
	[ "$(wc -l <out)" = 2 ]
	[ "$(store upload get S sales.csv@1 | wc -l)" = 3 ]
	exits 1 store upload get S sales.csv@3
	exits 0 store upload rm S chart.png
	[ "$(ls -A "$d/uploads")" = sales.csv ]
	exits 1 store upload get S chart.png
	exits 1 store upload rm S chart.png
	# On another machine there is no workspace, but the files are there.
	store export >all
	exits 0 store --db b.db import all
	exits 0 store --db b.db export
	same out all
	exits 0 store --db b.db upload get S sales.csv
	same out sales.csv
	[ "$(store --db b.db upload list S | jq .path)" = null ]
	exits 0 store check --full
	exits 0 store rm S
	[ ! -e "$d" ]
}

@test "upload: a name that would mean a version of another file is refused" {
	echo one >a; store upload put S a >put
	echo two >a; store upload put S a >put
	echo mine >a@2
	exits 2 store upload put S a@2
	says "ctx-store upload put: 'a@2' would mean version 2 of 'a'; *--name*"
	silent
	exits 2 store upload put --name b@10 S a
	exits 2 store upload put S a b@007
	exits 0 store upload put --name a@2x S a
	exits 0 store upload put --name @2 S a
	exits 0 store upload put --name a@ S a
	# such a name from an older store does not hide the version either
	printf 'mine\n' | store upload put --store-only --name c S - >put
	store export S | sed 's/"name":"c"/"name":"a@1"/' >old
	exits 0 store --db c.db import old
	exits 0 store --db c.db upload get S a@1
	wrote one
	exits 0 store --db c.db upload get S a@1@1
	wrote mine
}

@test "upload: after several at once, the copy is the newest version" {
	some 3 3 6
	for ((round = 0; round < some; round++)); do
		for w in 1 2 3 4 5; do
			head -c 2000000 /dev/urandom >f.$w
			store upload put --name f S f.$w >out.$w 2>&1 3>&- &
			pids[w]=$!
		done
		for w in 1 2 3 4 5; do wait "${pids[w]}" || { cat out.*; false; }; done
		exits 0 store upload get S f
		same "$(store upload list S | jq -r .path)" out
	done
	# Of a concurrent put and rm, too, one is the last.
	for round in 1 2 3 4 5 6; do
		store upload put --name f S f.1 >/dev/null 3>&- &
		pid=$!
		store upload rm -q S f 2>/dev/null || :
		wait $pid
		store upload put --store-only --name other S f.2 >/dev/null
		[ "$(store upload list S | grep -c '"path":null')" = 1 ]
	done
}

@test "upload: names are data, or are refused" {
	local name

	echo x >f
	for name in .. . '' a/b /etc/passwd ../x "$(printf 'a%.0s' $(seq 256))" \
	    $'\377'; do
		exits 2 store upload put --name "$name" S f
	done
	exits 2 store upload put --name "$(head -c 100000 /dev/zero | tr '\0' a)" S f
	[ ! -e db ]
	for name in .bashrc -rf 'a b' $'two\nlines' '😀' "it's" '<file_ref>' \
	    'a;DROP TABLE file' '%s%n' '..x' $'\033[31m'; do
		echo "$name" >content
		exits 0 store upload put --name "$name" S content
		exits 0 store upload get S -- "$name"
		same out content
		same "$(store workspace S)/uploads/$name" content
	done
	# each has one line in a list
	[ "$(store upload list --as list S | grep -c '^- ')" = 11 ]
	[ "$(store upload list S | wc -l)" = 11 ]
	exits 2 store upload put S
	exits 2 store upload put S - <f
	exits 2 store upload put --name x S f f
	exits 0 store upload put --name in S - <f
	exits 4 store upload put S nothing
	exits 2 store upload put S .
	mkdir dir
	exits 4 store upload put S dir
	exits 1 store upload list nobody
	exits 1 store upload get S ../../f
}

@test "upload: the copy never leaves the workspace" {
	echo x >f
	mkdir elsewhere
	d=$(store upload put --store-only S f >out && jq .path out && store workspace S)
	[ "${d%%$'\n'*}" = null ]
	d=${d#*$'\n'}
	[ -z "$(ls -A "$d")" ]
	ln -s "$T/elsewhere" "$d/uploads"
	exits 4 store upload put S f
	says '*uploads: *'
	[ -z "$(ls -A elsewhere)" ]
	[ "$(store upload list S | jq .path)" = null ]
	rm "$d/uploads"
	mkdir "$d/uploads"
	ln -s "$T/f" "$d/uploads/f"
	[ "$(store upload list S | jq .path)" = null ]
	echo y >g
	exits 0 store upload put --name f S g
	[ "$(cat f)" = x ]
	[ "$(cat "$d/uploads/f")" = y ]
	[ ! -L "$d/uploads/f" ]
	exits 0 store upload rm S f
	[ "$(cat f)" = x ]
	# An imported file may have any name.
	rm -rf "$d"
	exits 0 store upload put S g
	store export S | sed "s#\"name\":\"g\"#\"name\":\"../../g\"#" >all
	exits 0 store --db b.db import -q all
	d=$(store --db b.db workspace S)
	mkdir "$d/uploads"
	echo no >"$d/../g"
	[ "$(store --db b.db upload list S | jq -c '[.file_id,.path]')" = \
	    '["../../g",null]' ]
	exits 0 store --db b.db upload rm S ../../g
	[ -e "$d/../g" ]
}
