#!/usr/bin/env bats
# ctx-digest-files, given files

setup() {
	load helpers
	common_setup
	export LC_ALL=C
}

# tree: create a folder with .gitignore files.
tree() {
	mkdir -p p/.git p/src/gen p/build p/doc
	printf 'build/\n*.log\n/src/gen\n!keep.log\n' >p/.gitignore
	printf 'draft*\n' >p/doc/.gitignore
	echo 'int a(void) { }' >p/src/a.c
	echo x >p/src/gen/b.txt
	echo x >p/build/c.txt
	echo x >p/x.log
	echo x >p/keep.log
	echo '# T' >p/doc/readme.md
	echo x >p/doc/draft1.txt
	echo x >p/.git/config
	ln -s src p/link
}

# archived: the test needs a helper, whose library tests/machines has not for each machine.
archived() {
	[ -x "$BUILD/libexec/ctx-unpack" ] || skip "there is no libarchive for this machine"
}

@test "digest: every kind of file, in English" {
	archived
	cd "$DATA/digest"
	exits 0 ctx-digest-files -- *
	quiet
	same "$T/out" "$DATA/digest-en.txt"
}

@test "digest: every kind of file, in Chinese" {
	archived
	cd "$DATA/digest"
	exits 0 ctx-digest-files --lang zh -- *
	quiet
	same "$T/out" "$DATA/digest-zh.txt"
	CTX_LANG=zh exits 0 ctx-digest-files -- *
	same "$T/out" "$DATA/digest-zh.txt"
	CTX_LANG=zh exits 0 ctx-digest-files --lang en -- *
	same "$T/out" "$DATA/digest-en.txt"
}

@test "digest: --lang accepts en and zh" {
	CTX_LANG=fr exits 2 ctx-digest-files x
	says "*CTX_LANG*"
	exits 2 ctx-digest-files --lang fr x
	silent
}

@test "digest: two formats, or a format of files for a stream, are refused, exit 2" {
	exits 2 ctx-digest-files --json
	silent
	exits 2 ctx-digest-files --json --as list x
	silent
	exits 2 ctx-digest-files --as tree x
}

@test "digest: a missing file is reported, and the others are digested" {
	printf 'a b\n' >b.txt
	exits 4 ctx-digest-files nowhere.txt b.txt
	wrote '[file read] b.txt (text, 1 line, 4B)'
	says 'ctx-digest-files: nowhere.txt: cannot open: *'
}

@test "digest: a folder needs -r" {
	mkdir d
	exits 4 ctx-digest-files d
	says 'ctx-digest-files: d: is a directory*'
}

@test "digest: -r respects .gitignore, also in the folders above" {
	tree
	exits 0 ctx-digest-files -r p
	quiet
	wrote '[file read] p/.gitignore (text, 4 lines, 32B)' \
	    '[file read] p/doc/.gitignore (text, 1 line, 7B)' \
	    '[file read] p/doc/readme.md (markdown, 1 line, headings: T)' \
	    '[file read] p/keep.log (log, 1 line, 2B)' \
	    '[file read] p/src/a.c (c, 1 line, functions: a)'
	exits 0 ctx-digest-files -r p/src/
	wrote '[file read] p/src/a.c (c, 1 line, functions: a)'
	cd p/doc
	exits 0 ctx-digest-files -r .
	wrote '[file read] ./.gitignore (text, 1 line, 7B)' \
	    '[file read] ./readme.md (markdown, 1 line, headings: T)'
}

@test "digest: -j does not change what is written, nor its order" {
	tree
	mkdir many
	for i in {1..300}; do
		printf 'def f%d(x):\n    return %d\n' "$i" "$i" >"many/$i.py"
	done
	cp "$DATA"/digest/* many/ 2>/dev/null || :
	for o in '' --json '--json -e o200k_base' '--as list' '--as message' '--min 30' --all '--stash kept'; do
		# shellcheck disable=SC2086
		exits 0 ctx-digest-files -r $o p many
		cp out alone
		for j in 2 9; do
			rm -rf kept
			# shellcheck disable=SC2086
			exits 0 ctx-digest-files -r $o -j $j p many
			same out alone
		done
	done
	[ "$(find kept -type f | wc -l)" -gt 300 ]
	# messages too, and an output that cannot be written ends it
	exits 4 ctx-digest-files many/1.py none many/2.py many many/3.py
	cp out alone
	cp err said
	exits 4 ctx-digest-files -j 3 many/1.py none many/2.py many many/3.py
	same out alone
	same err said
	ctx-digest-files -r -j 3 p many >/dev/full 2>/dev/null || got=$?
	[ "$got" -eq 4 ]
}

@test "digest: a .gitignore may begin with a byte order mark" {
	mkdir -p p/.git
	printf '\xef\xbb\xbfx.txt\n' >p/.gitignore
	echo x >p/x.txt
	exits 0 ctx-digest-files -r p
	wrote '[file read] p/.gitignore (text, 1 line, 9B)'
}

@test "digest: -r names what it cannot look at" {
	# a path that is longer than any system takes
	long=$(printf '%0200d' 0)
	mkdir p
	echo 'int a;' >p/a.c
	(
		cd p
		for i in $(seq 25); do
			mkdir "$long"
			cd "$long"
			[ "$i" -ne 1 ] || echo 'int b;' >b.c
		done
	)
	for o in '' --map '-j 2'; do
		about "$o"
		# shellcheck disable=SC2086
		exits 4 ctx-digest-files -r $o p
		has 'a\.c' out
		has 'b\.c' out
		[ "$(wc -l <err)" -eq 1 ]
		has '^ctx-digest-files: p/0*/.*: cannot open: File \{0,1\}name too long$' err
	done
}

@test "digest: --all includes ignored files, but not .git" {
	tree
	exits 0 ctx-digest-files -r --all p
	[ "$(wc -l <out)" -eq 9 ]
	lacks '\.git/' out
}

@test "digest: --min omits small files" {
	printf 'abc' >a.txt
	printf 'abcd' >b.txt
	exits 0 ctx-digest-files --min 4 a.txt b.txt
	wrote '[file read] b.txt (text, 1 line, 4B)'
}

@test "digest: --width shortens the lists" {
	printf 'def f%s(): 1\n' 1 2 3 4 5 6 7 8 9 >a.py
	exits 0 ctx-digest-files --width 70 a.py
	wrote '[file read] a.py (python, 9 lines, functions: f1, f2, f3, f4, … +5)'
	exits 2 ctx-digest-files --width 5 a.py
}

@test "digest: --json has facts, names and tokens" {
	printf 'hello world\n' >a.txt
	printf 'a,b\n1,2\n' >t.csv
	exits 0 ctx-digest-files --json a.txt t.csv "$DATA/digest/prog"
	printf '%s\n' '{"name":"a.txt","path":"a.txt","kind":"text","language":"text","bytes":12,"lines":1,"chars":12,"sha256":"a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447","tokens":3}' \
	    '{"name":"t.csv","path":"t.csv","kind":"table","language":"CSV","bytes":8,"lines":2,"chars":8,"rows":1,"columns":["a","b"],"sha256":"492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470","tokens":7}' \
	    '{"name":"prog","path":"'"$DATA"'/digest/prog","kind":"binary","language":"ELF","bytes":64,"sha256":"cc9d6fac1f314ccbd3003c6a0e788a426958609b1312422d8fed40a08ee0bb51"}' >want
	same out want
}

# names.txt is what the parsers of TypeScript and Java find in these files:
# bench/digest-parser.js (npm typescript 5.9) and reference/Names.java (javac 17).
@test "digest: names in JavaScript, TypeScript and Java are those of their parsers" {
	cd "$DATA/names"
	exits 0 ctx-digest-files -e chars --json -- *.ts *.tsx *.js *.java
	jq -r '.path as $p | .symbols[] | [$p, .kind, .name] | @tsv' "$T/out" |
	    sort -u >"$T/names"
	same "$T/names" "$DATA/names.txt"
}

@test "digest: --as list prints the list of code files" {
	mkdir data
	printf '"""销售数据分析"""\nimport x\n' >data/code_sales_analysis.py
	printf '<title>报告模板</title>\n' >data/code_report_template.html
	printf 'let x;\n' >data/code_chart.js
	echo prose >data/notes.txt
	exits 0 ctx-digest-files --lang zh --as list data/code_sales_analysis.py \
	    data/code_report_template.html data/code_chart.js data/notes.txt
	wrote '可用代码文件列表：' \
	    '- code_sales_analysis (python) - 销售数据分析' \
	    '- code_report_template (html) - 报告模板' \
	    '- code_chart (javascript)' '' \
	    '你可以通过 <code_ref>{code_id}</code_ref> 标签在最终报告中引用这些代码。'
	exits 0 ctx-digest-files --as list data/notes.txt
	silent
}

@test "digest: a pipe is accepted as a file" {
	exits 0 ctx-digest-files <(printf 'a,b\n1,2\n3,4\n')
	grep -q '(CSV, 2 rows, columns: a, b)$' out
}

@test "digest: hostile files get a digest in bounded time" {
	local deep

	head -c 200000000 /dev/zero | tr '\0' a >line.py
	exits 0 timeout "$DEADLINE" ctx-digest-files line.py
	wrote '[file read] line.py (python, 1 line)'
	rm line.py

	for deep in '(' '{' '`${' '<a>' 'a<' '=/[' '=<T>(' '(a)=>' '(a:' 'a?b:' \
	    'class A{a=' '({a:' '<a b={' 'A extends B?' '):' '!'; do
		yes "x=$deep" | head -c 1000000 | tr -d '\n' >deep.tsx
		exits 0 timeout "$DEADLINE" ctx-digest-files --width 60 deep.tsx
	done

	seq -s , -f 'c%.0f' 1000000 >cols.csv
	exits 0 timeout "$DEADLINE" ctx-digest-files --width 60 cols.csv
	wrote '[file read] cols.csv (CSV, 0 rows, columns: c1, c2, … +999998)'

	head -c 100000 /dev/zero | tr '\0' '[' >deep.json
	head -c 100000 /dev/zero | tr '\0' ']' >>deep.json
	exits 0 timeout "$DEADLINE" ctx-digest-files deep.json
	wrote '[file read] deep.json (JSON, 195KB, 1 element)'

	head -c 3000000 /dev/urandom >random.xlsx
	exits 0 timeout "$DEADLINE" ctx-digest-files random.xlsx
	grep -q '^\[file read\] random.xlsx (' out
}

# The XML of ECMA-376: some writers use a prefix for the namespace, others make
# it the default.
workbook() {
	local p=$1 r=$2

	rm -rf xl
	mkdir -p xl/_rels xl/worksheets
	printf '<%sworkbook><%ssheets><%ssheet name="Sales" sheetId="1" %s:id="r1"/></%ssheets></%sworkbook>' \
	    "$p" "$p" "$p" "$r" "$p" "$p" >xl/workbook.xml
	printf '<Relationships><Relationship Target="worksheets/s.xml" Id="r1"/></Relationships>' \
	    >xl/_rels/workbook.xml.rels
	printf '<%ssst><%ssi><%st>date</%st></%ssi><%ssi><%st>a &amp; b</%st></%ssi></%ssst>' \
	    "$p" "$p" "$p" "$p" "$p" "$p" "$p" "$p" "$p" "$p" \
	    >xl/sharedStrings.xml
	{
		printf '<%sworksheet><%ssheetData>' "$p" "$p"
		printf '<%srow r="1"><%sc r="A1" t="s"><%sv>0</%sv></%sc>' \
		    "$p" "$p" "$p" "$p" "$p"
		printf '<%sc r="B1" t="s"><%sv>1</%sv></%sc></%srow>' \
		    "$p" "$p" "$p" "$p" "$p"
		printf '<%srow r="2"><%sc r="A2"><%sv>7</%sv></%sc></%srow>' \
		    "$p" "$p" "$p" "$p" "$p" "$p"
		printf '</%ssheetData></%sworksheet>' "$p" "$p"
	} >xl/worksheets/s.xml
	rm -f "$3"
	zip -q -r "$3" xl
}

@test "digest: a workbook whose XML uses namespace prefixes" {
	workbook '' r plain.xlsx
	workbook x: rel prefix.xlsx
	exits 0 ctx-digest-files plain.xlsx prefix.xlsx
	wrote '[file read] plain.xlsx (Excel, 1 row, columns: date, a & b)' \
	    '[file read] prefix.xlsx (Excel, 1 row, columns: date, a & b)'
}

@test "digest: sheets that do not say their size" {
	python3 - <<-'END'
		import zipfile

		def book(name, *sheets):
		    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
		        n = range(len(sheets))
		        z.writestr("xl/workbook.xml", "<sheets>%s</sheets>" % "".join(
		            f'<sheet name="S{i}" r:id="r{i}"/>' for i in n))
		        z.writestr("xl/_rels/workbook.xml.rels", "".join(
		            f'<Relationship Id="r{i}" Target="{i}.xml"/>' for i in n))
		        for i in n:
		            z.writestr(f"xl/{i}.xml", sheets[i])

		def rows(n):
		    return "".join(f'<row r="{i}"><c r="A{i}"><v>1</v></c>'
		                   f'<c r="C{i}"><v>1</v></c></row>'
		                   for i in range(1, n + 1))
		wrong = '<dimension ref="A1"/>'
		book("two.xlsx", rows(4), wrong + rows(5))
		# of the second and later sheets only the beginning is read
		book("cut.xlsx", rows(9), rows(5000), wrong + rows(5000),
		     '<dimension ref="A1:C5000"/>' + rows(5000))
		book("one.xlsx", rows(200000))
	END
	exits 0 ctx-digest-files two.xlsx cut.xlsx one.xlsx
	sed 's/one.xlsx (Excel, [0-9.]*[KM]B)/one.xlsx (Excel, SIZE)/' out >got
	wanted <<-'END'
		[file read] two.xlsx (Excel, 2 sheets, sheets: S0 4×3, S1 5×3)
		[file read] cut.xlsx (Excel, 4 sheets, sheets: S0 9×3, S1, S2, S3 5000×3)
		[file read] one.xlsx (Excel, SIZE)
	END
	same got want
}

@test "digest: names of columns in a workbook are without their pronunciation" {
	mkdir -p xl/_rels
	echo '<sheets><sheet name="S" r:id="r"/></sheets>' >xl/workbook.xml
	echo '<Relationship Id="r" Target="s.xml"/>' >xl/_rels/workbook.xml.rels
	echo '<sst><si><t>氏名</t><rPh sb="0" eb="2"><t>シメイ</t></rPh></si></sst>' \
	    >xl/sharedStrings.xml
	echo '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"/>' >xl/s.xml
	zip -q -r a.xlsx xl
	exits 0 ctx-digest-files a.xlsx
	wrote '[file read] a.xlsx (Excel, 1 row, columns: 氏名)'
}

@test "digest: a zip bomb in the form of a workbook" {
	mkdir -p xl/_rels xl/worksheets
	echo '<sheets><sheet name="S" r:id="r"/></sheets>' >xl/workbook.xml
	echo '<Relationship Id="r" Target="worksheets/s.xml"/>' \
	    >xl/_rels/workbook.xml.rels
	{
		printf '<dimension ref="A1:B7"/>'
		head -c 300000000 /dev/zero
	} >xl/worksheets/s.xml
	zip -q -r -1 bomb.xlsx xl
	exits 0 timeout "$DEADLINE" ctx-digest-files bomb.xlsx
	wrote '[file read] bomb.xlsx (Excel, 7 rows, 2 columns)'
}

# in_encoding CODE NAME: write the text on standard input in this encoding to
# t.txt; its digest must name the encoding.
in_encoding() {
	cat >utf8.txt
	iconv -f UTF-8 -t "$1" utf8.txt >t.txt
	exits 0 ctx-digest-files t.txt
	about "$1"
	grep -q "^\[file read\] t.txt (text, $2, " out || fail "$(cat out)"
}

@test "digest: the encoding of a text is told from its characters" {
	local ja ko zh tw

	zh='本月的销售报告已经完成，请大家在会议之前看一下。'
	tw='本月的銷售報告已經完成，請大家在會議之前看一下。'
	ja='今月の売上報告書ができました。会議の前に確認してください。'
	ko='이번 달의 판매 보고서가 준비되었습니다. 회의 전에 확인해 주세요.'
	in_encoding GBK GBK <<<"$zh"
	in_encoding GB18030 GB18030 <<<"$zh 😀"
	in_encoding BIG5 Big5 <<<"$tw"
	in_encoding SHIFT_JIS Shift_JIS <<<"$ja"
	in_encoding EUC-JP EUC-JP <<<"$ja"
	in_encoding EUC-KR EUC-KR <<<"$ko"
	in_encoding ISO-8859-1 ISO-8859-1 <<<'Die Zahlen für März sind größer.'
	in_encoding ISO-8859-1 ISO-8859-1 <<<'Le rapport a été envoyé à Zoë.'
	in_encoding CP1252 Windows-1252 <<<'Preis: 5 € für “alle”.'
	in_encoding UTF-16LE UTF-16LE <<<'plain text, no mark'
	in_encoding UTF-16BE UTF-16BE <<<'plain text, no mark'
	for code in UTF-16LE UTF-16BE UTF-32LE UTF-32BE; do
		{ printf '\357\273\277'; echo "$zh"; } | in_encoding "$code" "$code"
	done
}

@test "digest: an encoding that is not sure is not named" {
	printf 'Привет, мир и все люди\n' | iconv -f UTF-8 -t KOI8-R >koi8.txt
	printf 'Příliš žluťoučký kůň úpěl\n' | iconv -f UTF-8 -t CP1250 >czech.txt
	printf 'Zażółć gęślą jaźń\n' | iconv -f UTF-8 -t ISO-8859-2 >polish.txt
	printf 'Şişli ve Beyoğlu çok güzel\n' | iconv -f UTF-8 -t ISO-8859-9 >turkish.txt
	printf 'na\303\257ve caf\303\251, and \303 alone\n' >broken.txt
	printf '\304\304\304\263 menu \263\304\304\n' >dos.txt
	exits 0 ctx-digest-files *.txt
	wrote '[file read] broken.txt (text, not UTF-8, 1 line, 26B)' \
	    '[file read] czech.txt (text, not UTF-8, 1 line, 26B)' \
	    '[file read] dos.txt (text, not UTF-8, 1 line, 14B)' \
	    '[file read] koi8.txt (text, not UTF-8, 1 line, 23B)' \
	    '[file read] polish.txt (text, not UTF-8, 1 line, 18B)' \
	    '[file read] turkish.txt (text, not UTF-8, 1 line, 27B)'
	exits 0 ctx-digest-files --lang zh koi8.txt
	wrote '[文件已读取] koi8.txt (文本, 非UTF-8, 1行, 23B)'
	exits 0 ctx-digest-files -e chars --json koi8.txt
	[ "$(jq -r .encoding out)" = unknown ]
}

@test "digest: a declared encoding is taken if the text is in it" {
	printf '# -*- coding: koi8-r -*-\ndef f(): return "Привет"\n' |
	    iconv -f UTF-8 -t KOI8-R >a.py
	printf '<?xml version="1.0" encoding="windows-1251"?>\n<мир/>\n' |
	    iconv -f UTF-8 -t CP1251 >b.xml
	printf '<meta charset=big5><title>中文</title>\n' | iconv -f UTF-8 -t BIG5 >c.html
	printf '@charset "Shift_JIS";\n.a { content: "表" }\n' |
	    iconv -f UTF-8 -t SHIFT_JIS >d.css
	printf '# coding: euc-jp\nx = "\377"\n' >e.py
	exits 0 ctx-digest-files a.py b.xml c.html d.css e.py
	wrote '[file read] a.py (python, KOI8-R, 2 lines, functions: f)' \
	    '[file read] b.xml (XML, Windows-1251, 53B, elements: мир)' \
	    '[file read] c.html (html, Big5, 1 line, headings: 中文)' \
	    '[file read] d.css (css, Shift_JIS, 2 lines, selectors: .a)' \
	    '[file read] e.py (python, not UTF-8, 2 lines)'
}

@test "digest: tables in other encodings, and Excel's sep= line" {
	printf '姓名,部门,金额\n张伟,销售部,300\n李娜,市场部,200\n' |
	    iconv -f UTF-8 -t GBK >gbk.csv
	printf '日付;商品名;数量\n2026-01-01;りんご;3\n' |
	    iconv -f UTF-8 -t SHIFT_JIS >sjis.csv
	printf '\357\273\277Größe\tPreis\r\n1\t2\r\n' | iconv -f UTF-8 -t UTF-16LE >a.tsv
	printf '\357\273\277Größe;Preis\r\n1;2\r\n3;4\r\n' |
	    iconv -f UTF-8 -t UTF-16BE >b.csv
	printf 'sep=|\r\na,b|c\r\n1|2\r\n3|4\r\n' >sep.csv
	printf '"sep=;"\na;b\n1;2\n' >quoted.csv
	printf 'sep=;\na;b\n1;2\n' >unnamed
	printf 'sep=,\n' >empty.csv
	printf 'sep=1,x\n' >header.csv
	exits 0 ctx-digest-files gbk.csv sjis.csv a.tsv b.csv sep.csv \
	    quoted.csv unnamed empty.csv header.csv
	wrote '[file read] gbk.csv (CSV, GBK, 2 rows, columns: 姓名, 部门, 金额)' \
	    '[file read] sjis.csv (CSV, Shift_JIS, 1 row, columns: 日付, 商品名, 数量)' \
	    '[file read] a.tsv (TSV, UTF-16LE, 1 row, columns: Größe, Preis)' \
	    '[file read] b.csv (CSV, UTF-16BE, 2 rows, columns: Größe, Preis)' \
	    '[file read] sep.csv (CSV, 2 rows, columns: a,b, c)' \
	    '[file read] quoted.csv (CSV, 1 row, columns: a, b)' \
	    '[file read] unnamed (CSV, 1 row, columns: a, b)' \
	    '[file read] empty.csv (CSV, 0 rows)' \
	    '[file read] header.csv (CSV, 0 rows, columns: sep=1, x)'
}

@test "digest: --json and lists have a text of another encoding as UTF-8" {
	printf '"""销售的数据和分析"""\ndef 总计(): pass\n' >b.py
	iconv -f UTF-8 -t GBK b.py >a.py
	exits 0 ctx-digest-files -e chars --json a.py b.py
	jq -c '[.encoding, .lines, .chars, .symbols[0].name, .bytes]' out >got
	echo '["GBK",2,30,"总计",40]' >want
	echo '[null,2,30,"总计",50]' >>want
	same got want
	[ "$(jq .tokens out | uniq | wc -l)" -eq 1 ]
	exits 0 ctx-digest-files --as list a.py
	grep -q '^- a (python) - 销售的数据和分析$' out
}

@test "digest: --json is UTF-8 whatever the bytes of a file's name" {
	local name
	name=$(printf 'a\377"\303.txt')
	mkdir d
	echo x >"d/$name" 2>/dev/null || skip "there is no such file here"
	exits 0 ctx-digest-files --json "d/$name"
	iconv -f UTF-8 -t UTF-8 out >got
	same got out
	[ "$(jq -r '.name, .path' out)" = 'a�"�.txt
d/a�"�.txt' ]
}

@test "digest: comparisons that could be lists of types take linear time" {
	{
		for _ in {1..40}; do
			printf 'export const v: %s function(x) x\n' \
			    "$(printf 'a<%.0s' {1..40})"
		done
		echo 'export function f() {}'
	} >a.ts
	exits 0 timeout "$DEADLINE" ctx-digest-files a.ts
	has '41 lines' out
}
