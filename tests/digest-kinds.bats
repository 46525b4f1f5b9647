#!/usr/bin/env bats
# ctx-digest-files: kinds that a helper program reads

setup() {
	load helpers
	common_setup
	export LC_ALL=C
}

# helped NAME: the test needs this helper.
helped() {
	[ -x "$BUILD/libexec/$1" ] || fail "libexec/$1 was not built"
}

# alone: put a ctx-digest-files without helpers first in PATH.
alone() {
	mkdir bin
	cp "$BUILD/ctx-digest-files" bin/
	PATH=$T/bin:$PATH
}

@test "kinds: workflows, Compose files, manifests and lockfiles in YAML" {
	helped ctx-yaml
	cd "$DATA/kinds"
	exits 0 ctx-digest-files -r --all .
	quiet
	wanted <<-'END'
		[file read] ./.github/workflows/ci.yml (GitHub workflow, 249B, name: Build and test, triggers: push, pull_request, jobs: build, deploy to prod)
		[file read] ./.github/workflows/nightly.yaml (GitHub workflow, 75B, triggers: schedule, workflow_dispatch, jobs: fuzz)
		[file read] ./.gitlab-ci.yml (GitLab CI, 179B, stages: build, test, jobs: compile, unit tests)
		[file read] ./api.yaml (Swagger 2.0, 96B, 2 operations, name: Pet store 1.4, paths: /pets (get post))
		[file read] ./chart.yaml (YAML, 40B, keys: apiVersion, kind)
		[file read] ./deploy.yaml (Kubernetes, 251B, resources: Deployment web, Service web, Pod run-)
		[file read] ./docker-compose.yml (Compose, 271B, name: shop, services: web, db, worker, images: app:1.0, postgres:16, ports: 127.0.0.1:8080:80, 443, 5433:5432)
		[file read] ./pnpm-lock.yaml (pnpm lockfile, 391B, 3 packages, dependencies: a, dev dependencies: @b/c)
	END
	same "$T/out" "$T/want"
	exits 0 ctx-digest-files --lang zh pnpm-lock.yaml .github/workflows/ci.yml
	wrote '[文件已读取] pnpm-lock.yaml (pnpm锁文件, 391B, 3个包, 依赖: a, 开发依赖: @b/c)' \
	    '[文件已读取] .github/workflows/ci.yml (GitHub工作流, 249B, 名称: Build and test, 触发条件: push, pull_request, 作业: build, deploy to prod)'
}

@test "kinds: without the helper, YAML has its keys" {
	alone
	cp "$DATA/kinds/docker-compose.yml" .
	exits 0 ctx-digest-files docker-compose.yml
	quiet
	wrote '[file read] docker-compose.yml (YAML, 271B, keys: name, x-base, services)'
}

@test "kinds: hostile YAML ends in time and memory, and the next file is read" {
	local i

	helped ctx-yaml
	# aliases of aliases
	{
		echo 'a0: &a0 [x,x,x,x,x,x,x,x,x,x]'
		for i in 1 2 3 4 5 6 7 8 9; do
			printf 'a%d: &a%d [' $i $i
			printf '*a%d,' $((i - 1)){,,,,,,,,,}
			echo ']'
		done
		echo 'services: {web: {image: x}}'
	} >docker-compose.yml
	printf 'a: &a [*a]\nservices: {w: *none}\n' >compose.yml
	{
		printf 'services: '
		head -c 100000 /dev/zero | tr '\0' '['
	} >docker-compose.deep.yml
	printf 'services:\n  ? {a: b}\n  : {image: x}\n' >docker-compose.key.yml
	printf 'services:\n  web:\n    image: i\n' >docker-compose.ok.yml
	exits 0 timeout "$DEADLINE" ctx-digest-files docker-compose.yml \
	    compose.yml docker-compose.deep.yml docker-compose.key.yml \
	    docker-compose.ok.yml
	quiet
	sed 's/^[^(]*(\([^,]*\),.*/\1/' out >kinds
	printf '%s\n' YAML YAML YAML YAML Compose >want
	same kinds want
}

# packed: make archives and compressed files.
packed() {
	mkdir -p few many/src many/doc
	printf 'a,b\n1,2\n3,4\n' >t.csv
	printf '{"name":"x","version":"1"}\n' >package.json
	printf '# Title\n' >few/README.md
	printf 'int f(void) { return 0; }\n' >few/z.c
	for i in 1 2 3 4 5 6; do
		echo a >"many/src/f$i.c"
		echo bc >"many/doc/d$i.md"
	done
	echo d >many/README
	python3 - <<-'END'
		import bz2, gzip, lzma, os, tarfile, zipfile

		for name in "t.csv", "package.json":
		    data = open(name, "rb").read()
		    open(name + ".gz", "wb").write(gzip.compress(data, mtime=0))
		    open(name + ".bz2", "wb").write(bz2.compress(data))
		    open(name + ".xz", "wb").write(lzma.compress(data))
		    # RFC 8878: a frame of one raw block
		    open(name + ".zst", "wb").write(
		        b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) +
		        (len(data) << 3 | 1).to_bytes(3, "little") + data)
		os.rename("package.json.gz", "p.gz")
		open("none.txt.xz", "wb").write(lzma.compress(b""))
		for top in "few", "many":
		    names = sorted(os.path.join(d, f) for d, _, files in
		                   os.walk(top) for f in files)
		    for end in "gz", "bz2", "xz":
		        with tarfile.open(top + ".tar." + end, "w:" + end) as t:
		            for n in names:
		                t.add(n)
		    with zipfile.ZipFile(top + ".jar", "w") as z:
		        for n in names:
		            z.write(n)
		long = "l" * 90 + "/" + "m" * 120
		for form in "GNU", "PAX", "USTAR":
		    with tarfile.open(form + ".tar", "w", format=getattr(
		            tarfile, form + "_FORMAT")) as t:
		        i = tarfile.TarInfo(long if form != "USTAR" else "a/b")
		        t.addfile(i)
		# deb(5)
		with open("x.deb", "wb") as f:
		    f.write(b"!<arch>\n")
		    def member(name, data):
		        f.write(b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (
		            name, 0, 0, 0, b"100644", len(data)) + data +
		            b"\n" * (len(data) % 2))
		    member(b"debian-binary", b"2.0\n")
		    open("control", "w").write(
		        "Package: demo\nVersion: 1.2-3\nDescription: x\n")
		    with tarfile.open("control.tar.xz", "w:xz") as t:
		        t.add("control", "./control")
		    member(b"control.tar.xz", open("control.tar.xz", "rb").read())
		    member(b"data.tar.gz", open("few.tar.gz", "rb").read())
	END
}

# sizes FILE: replace the file's size, which depends on the packer's version.
sizes() { sed 's/, [0-9.]*[KM]*B, \([0-9.]*[KM]*B\( unp\|（\)\)/, \1/' "$1"; }

@test "kinds: compressed files are what is in them" {
	helped ctx-unpack
	packed
	exits 0 ctx-digest-files t.csv.gz t.csv.bz2 t.csv.xz t.csv.zst p.gz \
	    package.json.xz none.txt.xz
	quiet
	sizes out >got
	wanted <<-'END'
		[file read] t.csv.gz (gzip of CSV, 12B unpacked, 2 rows, columns: a, b)
		[file read] t.csv.bz2 (bzip2 of CSV, 12B unpacked, 2 rows, columns: a, b)
		[file read] t.csv.xz (xz of CSV, 12B unpacked, 2 rows, columns: a, b)
		[file read] t.csv.zst (zstd of CSV, 12B unpacked, 2 rows, columns: a, b)
		[file read] p.gz (gzip of JSON, 27B unpacked, keys: name, version)
		[file read] package.json.xz (xz of npm package, 27B unpacked, name: x 1)
		[file read] none.txt.xz (xz of text, 0B unpacked, 0 lines)
	END
	same got want
	exits 0 ctx-digest-files --lang zh t.csv.xz
	sizes out >got
	wanted <<-'END'
		[文件已读取] t.csv.xz (xz压缩的CSV, 12B（解压后）, 2行, 列: a, b)
	END
	same got want
	# the contents have no lines and no tokens of their own
	exits 0 ctx-digest-files --json t.csv.zst
	cp "$DATA/digest/tool" tool.py
	gzip tool.py
	exits 0 ctx-digest-files --as list tool.py.gz
	silent
	exits 0 ctx-digest-files --json t.csv.zst
	jq -c '[.kind,.language,.packing,.bytes,.unpacked,.rows,.lines,.tokens]' \
	    out >got
	echo '["table","CSV","zstd",21,12,2,null,null]' >want
	same got want
}

@test "kinds: archives have files, folders, kinds and the names that tell" {
	helped ctx-unpack
	packed
	exits 0 ctx-digest-files --width 999 few.tar.* few.jar many.tar.xz \
	    many.jar USTAR.tar x.deb
	quiet
	sizes out >got
	wanted <<-'END'
		[file read] few.tar.bz2 (tar.bz2, 2 files, 34B unpacked, files: few/README.md, few/z.c)
		[file read] few.tar.gz (tar.gz, 2 files, 34B unpacked, files: few/README.md, few/z.c)
		[file read] few.tar.xz (tar.xz, 2 files, 34B unpacked, files: few/README.md, few/z.c)
		[file read] few.jar (Java archive, 2 files, 34B unpacked, files: few/README.md, few/z.c)
		[file read] many.tar.xz (tar.xz, 13 files, 32B unpacked, all in: many/, folders: doc/ 6, src/ 6, kinds: .md 6, .c 6, files: README, doc/d1.md, doc/d2.md, doc/d3.md, doc/d4.md, doc/d5.md, doc/d6.md, src/f1.c, src/f2.c, src/f3.c, src/f4.c, src/f5.c, src/f6.c)
		[file read] many.jar (Java archive, 13 files, 32B unpacked, all in: many/, folders: doc/ 6, src/ 6, kinds: .md 6, .c 6, files: README, doc/d1.md, doc/d2.md, doc/d3.md, doc/d4.md, doc/d5.md, doc/d6.md, src/f1.c, src/f2.c, src/f3.c, src/f4.c, src/f5.c, src/f6.c)
		[file read] USTAR.tar (tar, 1 file, 0B unpacked, files: a/b)
		[file read] x.deb (Debian package, 2 files, 34B unpacked, files: few/README.md, few/z.c, name: demo 1.2-3)
	END
	same got want
	# names that are too long for the first form of tar
	exits 0 ctx-digest-files --json GNU.tar PAX.tar
	jq -r '.files[0] | length, .[0:92]' out >got
	for i in 1 2; do
		echo 200	# what is kept of a name, with an ellipsis
		printf 'l%.0s' {1..90}
		echo /m
	done >want
	same got want
}

@test "kinds: what is damaged, cut off or too large is said to be more" {
	helped ctx-unpack
	seq -f '%.0f,b' 4000000 | sed '1i\
n,c' >big.csv
	gzip -1 -k big.csv
	head -c 100000 big.csv.gz >cut.csv.gz
	cp big.csv.gz flip.csv.gz
	printf 'xxxx' | dd of=flip.csv.gz bs=1 seek=5000 conv=notrunc 2>err
	python3 - <<-'END'
		import lzma, tarfile

		data = open("big.csv", "rb").read()
		open("big.csv.xz", "wb").write(lzma.compress(data, preset=0))
		with tarfile.open("two.tar", "w") as t:
		    t.add("big.csv", "a.csv")
		    t.add("big.csv", "b.csv")
	END
	head -c 5000 two.tar >cut.tar
	head -c 50 big.csv.xz >head.xz
	exits 0 timeout "$DEADLINE" ctx-digest-files big.csv.gz cut.csv.gz \
	    flip.csv.gz big.csv.xz cut.tar head.xz
	quiet
	sed -e 's/[0-9.]*[KM]*B, at least/SIZE, at least/' \
	    -e 's/at least [0-9.]*[KM]B/at least SIZE/' \
	    -e 's/[0-9]* rows/N rows/' -e 's/opened: .*)/opened: ...)/' out >got
	wanted <<-'END'
		[file read] big.csv.gz (gzip of CSV, SIZE, at least SIZE unpacked, at least N rows, columns: n, c, …)
		[file read] cut.csv.gz (gzip of CSV, SIZE, at least SIZE unpacked, at least N rows, columns: n, c, …)
		[file read] flip.csv.gz (gzip of CSV, SIZE, at least SIZE unpacked, at least N rows, columns: n, c, …)
		[file read] big.csv.xz (xz of CSV, SIZE, at least SIZE unpacked, at least N rows, columns: n, c, …)
		[file read] cut.tar (tar, at least 1 file, SIZE, at least SIZE unpacked, files: a.csv, …)
		[file read] head.xz (xz, 50B, cannot be opened: ...)
	END
	same got want
}

@test "kinds: without the helper, what cannot be opened is said to be so" {
	packed
	alone
	exits 0 ctx-digest-files few.tar.xz t.csv.gz few.jar
	quiet
	sed 's/[0-9]*B,/SIZE,/' out >got
	wanted <<-'END'
		[file read] few.tar.xz (xz, SIZE, cannot be opened: no ctx-unpack)
		[file read] t.csv.gz (gzip of CSV, SIZE, 12B unpacked, 2 rows, columns: a, b)
		[file read] few.jar (Java archive, 2 files, SIZE, 34B unpacked, files: few/README.md, few/z.c)
	END
	same got want
}

# helper SCRIPT: make a ctx-unpack that does this, as if it were ours.
helper() {
	mkdir -p fake
	printf '#!/bin/sh\n%s\n' "$1" >fake/ctx-unpack
	chmod +x fake/ctx-unpack
}

@test "kinds: a helper that fails or answers nonsense ends nothing" {
	packed
	echo text >a.txt
	export CTX_LIBEXEC=$T/fake
	for how in 'exit 0' 'exit 1' 'exit 127' 'kill -9 $$' 'cat >/dev/null' \
	    'head -c 20 >/dev/null; echo nonsense' \
	    'head -c 20 >/dev/null; printf "0%14d\n" 99999999999' \
	    'head -c 20 >/dev/null; printf "0%14d\nA" 5'; do
		about "$how"
		helper "$how"
		exits 0 timeout "$DEADLINE" ctx-digest-files few.tar.xz a.txt
		quiet
		sed 's/[0-9]*B, c/SIZE, c/' out >got
		case $how in
		cat*) why='it takes too long' ;;
		*) why='the program that opens it failed' ;;
		esac
		printf '%s\n' "[file read] few.tar.xz (xz, SIZE, cannot be opened: $why)" \
		    '[file read] a.txt (text, 1 line, 5B)' >want
		same got want
	done
	helper 'exit 4'
	exits 4 ctx-digest-files few.tar.xz
	says 'ctx-digest-files: *out of memory*'
}

@test "kinds: bombs end in time and memory" {
	helped ctx-unpack
	head -c 300000000 /dev/zero >zeros
	python3 - <<-'END'
		import bz2, gzip, io, lzma, tarfile, zipfile, zlib

		zeros = open("zeros", "rb").read()
		for _ in range(3):      # gzip in gzip in gzip
		    zeros = gzip.compress(zeros, 6)
		open("three.gz", "wb").write(zeros)
		c = bz2.BZ2Compressor()
		with open("z.bz2", "wb") as f:
		    for _ in range(300):
		        f.write(c.compress(bytes(1000000)))
		    f.write(c.flush())
		# a tar whose entries are said to have 8 GB
		i = tarfile.TarInfo("huge")
		i.size = 0o77777777777
		open("huge.tar", "wb").write(i.tobuf(tarfile.USTAR_FORMAT) +
		                             bytes(10240))
		# a zip in which 5,000 members have the same contents
		out = io.BytesIO()
		with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
		    z.writestr("a", bytes(10000000))
		    info = z.filelist[0]
		    z.filelist = [info] * 5000
		open("overlap.zip", "wb").write(out.getvalue())
		# a directory that says more than there is
		end = out.getvalue().rindex(b"PK\5\6")
		data = bytearray(out.getvalue())
		data[end + 8:end + 12] = b"\xff\xff\xff\xff"
		open("liar.zip", "wb").write(data)
	END
	rm zeros
	exits 0 timeout "$DEADLINE" ctx-digest-files three.gz z.bz2 huge.tar \
	    overlap.zip
	quiet
	sed -e 's/, [0-9.]*[KM]*B, /, SIZE, /' \
	    -e 's/gzip, SIZE, [0-9.]*K*B/gzip, SIZE, N/' out >got
	wanted <<-'END'
		[file read] three.gz (gzip of gzip, SIZE, N unpacked)
		[file read] z.bz2 (bzip2 of binary, SIZE, at least 8MB unpacked)
		[file read] huge.tar (tar, at least 1 file, SIZE, at least 8GB unpacked, files: huge, …)
		[file read] overlap.zip (zip, 5000 files, SIZE, 46.6GB unpacked, files: a)
	END
	same got want
	exits 0 timeout "$DEADLINE" ctx-digest-files liar.zip
	lacks '65535 files' out
}

@test "kinds: documents have their headings, sheets, slides and chapters" {
	python3 "$ROOT/tests/office.py"
	exits 0 ctx-digest-files a.docx a.pptx a.odt a.ods one.ods a.odp a.epub \
	    bare.docx none.zip other.docx
	quiet
	sed 's/, [0-9.]*K*B\([,)]\)/\1/' out >got
	wanted <<-'END'
		[file read] a.docx (Word, headings: The title, One & two, Based on it, By its level)
		[file read] a.pptx (PowerPoint, 3 slides, titles: First, Second line)
		[file read] a.odt (OpenDocument, headings: One and two, Three four)
		[file read] a.ods (OpenDocument, 2 sheets, columns: name, a < b, sheets: S & T 4×4, Empty)
		[file read] one.ods (OpenDocument, 2 rows, 2 columns)
		[file read] a.odp (OpenDocument, 2 slides, titles: First)
		[file read] a.epub (EPUB, headings: Chapter one, Two, name: A book)
		[file read] bare.docx (Word)
		[file read] none.zip (zip, 0 files, 0B unpacked)
		[file read] other.docx (Word, headings: Found)
	END
	same got want
	exits 0 timeout "$DEADLINE" ctx-digest-files deep.odt big.docx entity.odt
	quiet
	sed 's/, [0-9.]*K*B\([,)]\)/\1/' out >got
	wanted <<-'END'
		[file read] deep.odt (OpenDocument)
		[file read] big.docx (Word, headings: A, …)
		[file read] entity.odt (OpenDocument, headings: &b; x)
	END
	same got want
}

@test "kinds: a page of a PDF that is written again counts once" {
	python3 - <<-'END'
		import zlib

		objects = zlib.compress(b"2 0 3 40 4 60 << /Type /Pages /Count 2 "
		    b"/Kids [3 0 R 4 0 R] >> << /Type /Page /Parent 2 0 R >> "
		    b"<< /Type /Page /Parent 2 0 R >>")
		pdf = (b"%PDF-1.5\n1 0 obj\n<< /Type /ObjStm /N 3 /First 16 >>\n"
		    b"stream\n" + objects + b"\nendstream\nendobj\n")
		again = b"3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n"
		root = b"2 0 obj\n<< /Count 5 /Type /Pages >>\nendobj\n"
		open("a.pdf", "wb").write(pdf + again)
		open("b.pdf", "wb").write(pdf + root + again)
	END
	exits 0 ctx-digest-files a.pdf b.pdf
	sed 's/, [0-9]*B)/)/' out >got
	printf '[file read] %s.pdf (PDF, %d pages)\n' a 2 b 5 >want
	same got want
}

@test "kinds: an ending that several kinds of files have" {
	local i

	printf '[target]\nprograms=a b\n\n[rules]\na.nlm: a.pp\n' >Makefile.fpc
	printf 'package p\n\nfunc F[T any](x T) {\n}\n' >a.go2
	printf 'TZif2\0\0\0%036d' 0 >Berlin
	# a text in Greek, Czech, Polish or Russian, and code
	for i in 1 2 3 4 5 6 7 8 9; do
		printf 'This is line %d of a text,\nwhich goes on.\n' "$i"
	done >tutor.el
	cp tutor.el tutor.cs
	cp tutor.el tutor.pl
	cp tutor.el tutor.ru
	{ cat tutor.el; printf '(defun f (x)\n  x)\n'; } >code.el
	{ printf '=head1 NAME\n\n'; cat tutor.el; printf '\n=cut\n\nsub f { }\n'; } >pod.pl
	exits 0 ctx-digest-files Makefile.fpc a.go2 Berlin tutor.* code.el pod.pl
	wrote '[file read] Makefile.fpc (INI, 43B, sections: target, rules)' \
	    '[file read] a.go2 (go, 4 lines, functions: F)' \
	    '[file read] Berlin (time zone, 44B)' \
	    '[file read] tutor.cs (text, 18 lines, 369B)' \
	    '[file read] tutor.el (text, 18 lines, 369B)' \
	    '[file read] tutor.pl (text, 18 lines, 369B)' \
	    '[file read] tutor.ru (text, 18 lines, 369B)' \
	    '[file read] code.el (lisp, 20 lines, functions: f)' \
	    '[file read] pod.pl (perl, 24 lines, functions: f)'
}

@test "kinds: a macro of C is no function" {
	printf '%s\n' 'TEST(Suite, Name) {' '	x();' '}' 'static DEFINE_MUTEX(lock);' \
	    'int' 'MD5(int a)' '{' '	return a;' '}' 'static LIST_HEAD(a, b) c;' \
	    'int SHA1(int);' 'DECLARE(a)' '{' '}' 'extern int f(int);' >a.h
	sed '/extern/d' a.h >a.c
	exits 0 ctx-digest-files a.h a.c
	wrote '[file read] a.h (c, 15 lines, functions: MD5, SHA1, f)' \
	    '[file read] a.c (c, 14 lines, functions: MD5)'
}
