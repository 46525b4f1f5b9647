/* SPDX-License-Identifier: MIT */
/* Which texts are the contents of files, and which need not be sent again. */
#include "decide/reads.h"

#include "base/buf.h"
#include "check.h"
#include "decide/pair.h"
#include "view/dialect.h"

/* Lines are written with ' for "; in arguments, ^ is an escaped ". */
#define CALL(id, name, args) "{'role':'assistant','content':null," \
	"'tool_calls':[{'id':'" id "','function':{'name':'" name \
	"','arguments':'" args "'}}]}"
#define RES(id, text) "{'role':'tool','tool_call_id':'" id "','content':'" \
	text "'}"
#define READ(id, file) CALL(id, "read_file", "{^path^:^" file "^}") "," \
	RES(id, "x")
#define WRITE(id, file) CALL(id, "write_file", \
	"{^path^:^" file "^,^content^:^x^}") "," RES(id, "ok")
#define FAILS(text) CALL("d", "write_file", \
	"{^path^:^a^,^content^:^x^}") "," RES("d", text) END
#define BY(name) CALL("c", name, "{^path^:^a^}") "," RES("c", "x")
#define WITH(args) CALL("c", "read_file", args) "," RES("c", "x")
#define SAYS(text) CALL("c", "read_file", "{^path^:^a^}") "," RES("c", text)
#define PART(id, from, n) CALL(id, "read_file", "{^path^:^a^,^offset^:" \
	from ",^limit^:" n "}") "," RES(id, "x")
#define TAIL(id, n) CALL(id, "read_file", "{^path^:^a^,^tail^:" n "}") "," \
	RES(id, "x")
#define EDIT(id) CALL(id, "Edit", "{^path^:^a^,^new_string^:^x^}") "," \
	RES(id, "ok")
#define BOTH(id) CALL(id, "read_files", "{^paths^:[^a^,^b^]}") "," \
	RES(id, "x")
#define SHELL(id, command, more) CALL(id, "shell_command", \
	"{^command^:^" command "^," more "}") "," RES(id, "x")
#define END ",{'role':'assistant','content':'so'}"

#define HASH64 \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char *const slurp[] = { "slurp" };

/*
 * For each text: its files, with commas, or "-"; the lines, or how many at the
 * end, or ? for others; w if it was written; * if it is replaced.
 */
static const struct {
	const char *messages, *want;
	struct ctx_reads_opts opts;
} cases[] = {
	{ READ("c", "a") END, "a*", { 0 } },
	/* what the model has not seen yet is kept */
	{ READ("c", "a"), "a", { 0 } },
	{ READ("c", "a") "," READ("d", "b"), "a* b", { 0 } },
	{ "{'role':'user','content':'q'}", "", { 0 } },

	/* names of tools */
	{ BY("Read"), "a", { 0 } },
	{ BY("mcp__filesystem__read_text_file"), "a", { 0 } },
	{ BY("functions/view-file"), "a", { 0 } },
	{ BY("default_api:cat"), "a", { 0 } },
	{ BY("abc.read"), "a", { 0 } },
	{ BY("fs.read"), "a", { 0 } },
	{ BY("ab.read"), "", { 0 } },
	{ BY("read__"), "", { 0 } },
	{ BY("grep"), "", { 0 } },
	{ BY("reader"), "", { 0 } },
	{ BY("slurp"), "", { 0 } },
	{ BY("slurp"), "a", { .tool = slurp, .ntool = 1 } },
	{ CALL("rd_1", "x", "{^path^:^a^}") "," RES("rd_1", "x"), "a",
	    { .id_prefix = "rd_" } },
	{ CALL("d_1", "x", "{^path^:^a^}") "," RES("d_1", "x"), "",
	    { .id_prefix = "rd_" } },
	{ CALL("rd", "x", "{^path^:^a^}") "," RES("rd", "x"), "",
	    { .id_prefix = "rd_" } },
	{ CALL("rd_", "x", "{^path^:^a^}") "," RES("rd_", "x"), "a",
	    { .id_prefix = "rd_" } },
	{ CALL("rd_1", "x", "{^path^:^a^}") "," RES("rd_1", "x"), "",
	    { .id_prefix = "" } },
	{ "{'role':'tool','name':'read_file','content':'x'}", "-", { 0 } },

	/* arguments */
	{ WITH("{^file_path^:^a^}"), "a", { 0 } },
	{ WITH("{^uri^:^a^,^x^:^b^}"), "a", { 0 } },
	{ WITH("{^path^:^\\\\u0041 b^}"), "A b", { 0 } },
	{ WITH("{^path^:1,^file^:^b^}"), "b?", { 0 } },
	{ WITH("{^path^:^^}"), "-", { 0 } },
	{ WITH("{^paths^:[^a^,^b^,3]}"), "a,b", { 0 } },
	{ WITH("{^path^:^a^,^paths^:[^b^]}"), "a", { 0 } },
	{ WITH("{^paths^:[^b/*.c^]}"), "", { 0 } },
	{ WITH("{^paths^:[^a^,^b/^]}"), "", { 0 } },
	{ WITH("{^path^:^b/[id].ts^}"), "b/[id].ts", { 0 } },
	{ WITH("{^uri^:^x://b/^}"), "x://b/", { 0 } },
	{ WITH("[^a^]"), "-", { 0 } },
	{ WITH("no JSON"), "-", { 0 } },
	{ WITH("{^path^:^a^,^offset^:10,^limit^:5}"), "a:10-14", { 0 } },
	{ WITH("{^path^:^a^,^limit^:5}"), "a:0-5", { 0 } },
	{ WITH("{^path^:^a^,^start_line^:3,^end_line^:9}"), "a:3-9", { 0 } },
	{ WITH("{^path^:^a^,^end_line^:9,^limit^:2}"), "a:0-9", { 0 } },
	{ WITH("{^path^:^a^,^offset^:^3^}"), "a:3-0", { 0 } },
	{ WITH("{^path^:^a^,^offset^:^x^}"), "a", { 0 } },
	{ WITH("{^path^:^a^,^offset^:^10^,^limit^:^60^}"), "a:10-69", { 0 } },
	{ WITH("{^path^:^a^,^line^:10,^limit^:60}"), "a:10-69", { 0 } },
	{ WITH("{^path^:^a^,^head^:60}"), "a:0-60", { 0 } },
	{ WITH("{^path^:^a^,^tail^:60}"), "a-60", { 0 } },
	{ WITH("{^path^:^a^,^view_range^:[10, 69]}"), "a:10-69", { 0 } },
	{ WITH("{^path^:^a^,^start^:40,^lines^:3}"), "a:40-42", { 0 } },
	{ WITH("{^path^:^a^,^read_range^:[10,-1]}"), "a:10-0", { 0 } },
	{ WITH("{^path^:^a^,^start_line_one_indexed^:2,"
	    "^end_line_one_indexed_inclusive^:3}"), "a:2-3", { 0 } },
	/* numbers that may mean lines */
	{ WITH("{^path^:^a^,^startLineNumberBaseZero^:9}"), "a?", { 0 } },
	{ WITH("{^path^:^a^,^offset^:-20}"), "a?", { 0 } },
	{ WITH("{^path^:^a^,^span^:[1,2]}"), "a?", { 0 } },
	{ WITH("{^path^:^a^,^tags^:[],^x^:true,^y^:[^z^]}"), "a", { 0 } },
	{ WITH("{^path^:^a^,^offset^:2.5}"), "a:2-0", { 0 } },
	{ "{'role':'assistant','content':[{'type':'tool-call','toolCallId':"
	    "'c','toolName':'read','input':{'path':'a'}}]},{'role':'tool',"
	    "'content':[{'type':'tool-result','toolCallId':'c','toolName':"
	    "'read','output':{'type':'text','value':'x'}}]}", "a", { 0 } },

	/* where a command runs */
	{ SHELL("c", "cat a", "^workdir^:^/b^"), "/b/a", { 0 } },
	{ SHELL("c", "cat a", "^cwd^:^/b/^"), "/b/a", { 0 } },
	{ SHELL("c", "cat a", "^directory^:^b c^"), "b c/a", { 0 } },
	{ SHELL("c", "cat /a", "^workdir^:^/b^"), "/a", { 0 } },
	{ SHELL("c", "cat a", "^workdir^:^.^"), "a", { 0 } },
	{ SHELL("c", "cat a", "^workdir^:^^"), "a", { 0 } },
	{ SHELL("c", "cat a", "^workdir^:1,^x^:^/b^"), "a", { 0 } },
	{ SHELL("c", "cd d && cat a", "^workdir^:^/b^"), "/b/d/a", { 0 } },
	{ SHELL("c", "cd /d && cat a", "^workdir^:^/b^"), "/d/a", { 0 } },
	{ SHELL("c", "cd /d && cat /a", "^workdir^:^/b^"), "/a", { 0 } },
	{ SHELL("c", "cat a", "^workdir^:^/b^") ","
	    SHELL("d", "cat a", "^workdir^:^/c^") END, "/b/a /c/a",
	    { .keep_latest = 1 } },
	{ SHELL("c", "ls", "^workdir^:^/b^") ","
	    SHELL("d", "ls", "^workdir^:^/c^") ","
	    SHELL("e", "ls", "^workdir^:^/b^") END, "/b\nls* /c\nls /b\nls",
	    { .keep_latest = 1, .listings = 1 } },

	/* results that report an error */
	{ SAYS("Error: none"), "", { 0 } },
	{ SAYS("cat: a: No such file"), "", { 0 } },
	{ SAYS("Traceback ("), "", { 0 } },
	{ SAYS("Traceback"), "a", { 0 } },
	{ SAYS("{\\'error\\':1}"), "", { 0 } },
	{ SAYS("{\\'errand\\':1}"), "a", { 0 } },
	{ SAYS("an Error: none"), "a", { 0 } },

	{ SAYS("{\\'output\\':\\'x\\',\\'exit_code\\':1}"), "", { 0 } },
	{ SAYS("{\\'output\\':\\'x\\',\\'exit_code\\':0}"), "a", { 0 } },
	{ SAYS("{\\'output\\':\\'x\\',\\'metadata\\':{\\'exit_code\\':"
	    "127}}"), "", { 0 } },
	{ SAYS("Exit code: 1\\nWall time: 0.1 seconds\\nOutput:\\nx"), "",
	    { 0 } },
	{ SAYS("Exit code: 0\\nWall time: 0.1 seconds\\nOutput:\\nx"), "a",
	    { 0 } },
	{ SAYS("Exit code 2\\nx"), "", { 0 } },
	/* what may be one */
	{ SAYS("The file a does not exist.\\n"), "", { 0 } },
	{ SAYS("The file a\\ndoes not exist."), "a", { 0 } },
	{ SAYS("The file is here."), "a", { 0 } },
	{ SAYS("The tool use was refused.\\nNothing was read of this file."),
	    "", { 0 } },
	{ SAYS("The tool use was refused.\\nint x;"), "a", { 0 } },
	{ SAYS("It is the first line.\\nIt is the second line.\\nIt is the "
	    "last one."), "a", { 0 } },
	{ READ("c", "a") "," CALL("d", "read_file", "{^path^:^a^}") ","
	    RES("d", "File unchanged since last read.") END, "a",
	    { .superseded = 1 } },

	/* notes, which are no contents, and contents with a note in them */
	{ SAYS("[no result: the tool call was not completed]"), "", { 0 } },
	{ SAYS("[tool result cleared: 2300 chars]"), "", { 0 } },
	{ SAYS("[\xe5\xb7\xa5\xe5\x85\xb7\xe7\xbb\x93\xe6\x9e\x9c\xe5\xb7\xb2"
	    "\xe6\xb8\x85\xe9\x99\xa4\xef\xbc\x9a" "9 \xe4\xb8\xaa\xe5\xad\x97"
	    "\xe7\xac\xa6]"), "", { 0 } },
	{ SAYS("[tool result cleared: 9 chars, kept in d/" HASH64 "]"), "",
	    { 0 } },
	{ SAYS("[same text as sent before: sha256:0123456789abcdef, 2300 "
	    "chars]"), "", { 0 } },
	{ SAYS("x\\n... (truncated, 2300 chars total)"), "", { 0 } },
	{ SAYS("x\\n... (truncated, 9 tokens total, sha256:" HASH64 ")\\ny"),
	    "", { 0 } },
	{ SAYS("x\\n[... 52 lines]\\ny"), "", { 0 } },
	{ SAYS("x\\n[... 52 \xe8\xa1\x8c]\\ny"), "", { 0 } },
	{ SAYS("x\\n[tool result cleared: 2300 chars]"), "a", { 0 } },
	{ SAYS("[... 52 apples]"), "a", { 0 } },
	{ READ("c", "a") "," CALL("d", "read_file", "{^path^:^a^}") ","
	    RES("d", "[same text as sent before: sha256:0123456789abcdef, 1 "
	    "chars]") END, "a", { .keep_latest = 1 } },

	/* files that were written */
	{ WRITE("c", "a") END, "aw", { 0 } },
	{ WRITE("c", "a") END, "aw*", { .writes = 1 } },
	{ CALL("c", "Edit", "{^file_path^:^a^,^old_string^:^x^,^new_string^:"
	    "^y^,^content^:3,^offset^:7}") "," RES("c", "ok") END, "aw* aw*",
	    { .writes = 1 } },
	{ CALL("c", "rewrite", "{^path^:^a^,^content^:^x^}") ","
	    RES("c", "ok") END, "", { .writes = 1 } },

	/* what failed, or did not end, has not written */
	{ FAILS("Error: no such file"), "", { .writes = 1 } },
	{ FAILS("{\\'success\\':false,\\'message\\':\\'x\\'}"), "",
	    { .writes = 1 } },
	{ FAILS("{\\'success\\':true,\\'message\\':\\'x\\'}"), "aw*",
	    { .writes = 1 } },
	{ FAILS("No replacement was performed, x did not appear in a."), "",
	    { .writes = 1 } },
	{ FAILS("Could not find the string to replace in a"), "",
	    { .writes = 1 } },
	{ FAILS("String to replace not found in file."), "", { .writes = 1 } },
	{ FAILS("No changes to make: both are the same."), "",
	    { .writes = 1 } },
	{ CALL("d", "write_file", "{^path^:^a^,^content^:^x^}") END, "",
	    { .writes = 1 } },
	{ READ("c", "a") "," FAILS("Failed to edit"), "a",
	    { .superseded = 1 } },
	{ READ("c", "a") ",{'role':'assistant','content':[{'type':'tool_use',"
	    "'id':'d','name':'Edit','input':{'path':'a','new_string':'y'}}]},"
	    "{'role':'user','content':[{'type':'tool_result','tool_use_id':"
	    "'d','is_error':true,'content':'String to replace not found'}]}"
	    END, "a", { .superseded = 1 } },
	/* and has so when its result comes */
	{ READ("c", "a") "," CALL("d", "write_file", "{^path^:^a^,^content^:"
	    "^x^}") END, "a", { .superseded = 1 } },

	/* what is kept */
	{ READ("c", "a") "," READ("d", "b") "," READ("e", "a") END,
	    "a* b* a*", { 0 } },
	{ READ("c", "a") "," READ("d", "b") "," READ("e", "a") END,
	    "a* b a", { .keep_latest = 1 } },
	{ READ("c", "a") "," READ("d", "b") "," READ("e", "a") END,
	    "a* b a", { .superseded = 1 } },
	{ READ("c", "a") "," READ("d", "b") "," READ("e", "a") END,
	    "a* b* a", { .keep_recent = 1 } },
	{ READ("c", "a") "," READ("d", "b") "," READ("e", "a") END,
	    "a* b a", { .keep_recent = 2 } },
	{ READ("c", "a") "," WITH("{}") "," READ("e", "b") END,
	    "a* - b", { .keep_recent = 2 } },
	{ READ("c", "a") "," WRITE("d", "a") END, "a* aw",
	    { .superseded = 1 } },
	{ READ("c", "a") "," WRITE("d", "b") END, "a bw",
	    { .superseded = 1 } },
	/* only what has their lines replaces contents */
	{ READ("c", "a") "," PART("d", "10", "5") END, "a a:10-14",
	    { .keep_latest = 1 } },
	{ READ("c", "a") "," PART("d", "10", "5") END, "a a:10-14",
	    { .superseded = 1 } },
	{ READ("c", "b") "," READ("d", "a") "," PART("e", "10", "5") END,
	    "b* a a:10-14", { .keep_recent = 1 } },
	{ PART("c", "10", "5") "," READ("d", "a") END, "a:10-14* a",
	    { .keep_latest = 1 } },
	{ PART("c", "10", "5") "," PART("d", "10", "5") END,
	    "a:10-14* a:10-14", { .keep_latest = 1 } },
	{ PART("c", "10", "5") "," PART("d", "11", "5") END,
	    "a:10-14 a:11-15", { .keep_latest = 1 } },
	{ PART("c", "10", "5") "," PART("d", "11", "5") "," PART("e", "9", "6")
	    END, "a:10-14* a:11-15 a:9-14", { .keep_latest = 1 } },
	{ TAIL("c", "9") "," PART("d", "9", "9") "," TAIL("e", "8") END,
	    "a-9 a:9-17 a-8", { .keep_latest = 1 } },
	{ TAIL("c", "9") "," PART("d", "9", "9") "," TAIL("e", "10") END,
	    "a-9* a:9-17 a-10", { .keep_latest = 1 } },
	{ TAIL("c", "9") "," READ("d", "a") END, "a-9* a",
	    { .keep_latest = 1 } },
	/* an edit makes contents old, but is no copy of them */
	{ READ("c", "a") "," EDIT("d") END, "a aw", { .keep_latest = 1 } },
	{ READ("c", "a") "," EDIT("d") END, "a* aw", { .superseded = 1 } },
	{ READ("c", "a") "," EDIT("d") END, "a aw",
	    { .superseded = 1, .keep_latest = 1 } },
	{ EDIT("c") "," EDIT("d") "," READ("e", "a") END, "aw* aw* a",
	    { .writes = 1, .keep_latest = 1 } },
	{ READ("c", "a") "," WRITE("d", "a") END, "a* aw",
	    { .keep_latest = 1 } },
	{ READ("c", "a") "," CALL("d", "write_file", "{^path^:^a^,^content^:"
	    "^x^,^mode^:^append^}") "," RES("d", "ok") END, "a aw",
	    { .keep_latest = 1 } },
	{ READ("c", "a") "," CALL("d", "str_replace_editor", "{^path^:^a^,"
	    "^file_text^:^x^}") "," RES("d", "ok") END, "a* aw",
	    { .keep_latest = 1 } },
	/* of several files, all */
	{ BOTH("c") "," READ("d", "a") END, "a,b a", { .keep_latest = 1 } },
	{ BOTH("c") "," READ("d", "b") END, "a,b b", { .keep_latest = 1 } },
	{ BOTH("c") "," READ("d", "b") "," READ("e", "a") END, "a,b* b a",
	    { .keep_latest = 1 } },
	{ READ("c", "b") "," BOTH("d") END, "b* a,b", { .keep_latest = 1 } },
	{ READ("c", "c") "," BOTH("d") END, "c a,b", { .keep_recent = 3 } },
	{ READ("c", "c") "," BOTH("d") END, "c* a,b", { .keep_recent = 2 } },
	/* the parts of a result belong together */
	{ CALL("c", "read_file", "{^path^:^a^}") ",{'role':'tool',"
	    "'tool_call_id':'c','content':[{'type':'text','text':'x'},"
	    "{'type':'image_url'},{'type':'text','text':'y'}]}" END, "a a",
	    { .keep_latest = 1 } },
};

static void
dump(struct ctx_buf *b, const struct ctx_reads *r)
{
	const struct ctx_read *p;
	const char *path;
	size_t i, k, len;

	for (i = 0; i < r->n; i++) {
		p = &r->read[i];
		ctx_buf_adds(b, i == 0 ? "" : " ");
		for (k = 0; k < p->npath; k++) {
			path = ctx_strmap_at(&r->paths,
			    r->path[p->first + k], &len);
			ctx_buf_adds(b, k == 0 ? "" : ",");
			ctx_buf_add(b, path, len);
		}
		ctx_buf_adds(b, p->npath == 0 ? "-" : "");
		if (p->from != 0 || p->to != 0)
			ctx_buf_addf(b, ":%u-%u", (unsigned)p->from,
			    (unsigned)p->to);
		if (p->last != 0)
			ctx_buf_addf(b, "-%u", (unsigned)p->last);
		ctx_buf_adds(b, p->odd ? "?" : "");
		ctx_buf_adds(b, p->wrote ? "w" : "");
		ctx_buf_adds(b, p->goes ? "*" : "");
		CHECK_INT(p->wrote, p->node != CTX_NONE);
	}
}

static void
test_find(void)
{
	struct ctx_reads r = { 0 };
	struct ctx_pairer pairer = { 0 };
	struct ctx_convo c = { 0 };
	struct ctx_buf raw = { 0 }, got = { 0 };
	struct ctx_rec *rec;
	size_t i, k;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ctx_buf_reset(&raw);
		ctx_buf_addc(&raw, '[');
		for (k = 0; cases[i].messages[k] != '\0'; k++)
			if (cases[i].messages[k] == '^')
				ctx_buf_adds(&raw, "\\\"");
			else
				ctx_buf_addc(&raw,
				    cases[i].messages[k] == '\'' ? '"' :
				    cases[i].messages[k]);
		ctx_buf_addc(&raw, ']');
		ctx_convo_reset(&c);
		rec = ctx_convo_add_rec(&c);
		rec->raw = raw.data;
		rec->len = raw.len;
		rec->root = 0;
		CHECK_INT(ctx_doc_scan(&c.doc, raw.data, raw.len, NULL), 0);
		CHECK_INT(ctx_dialect_view(&c, NULL, 0, NULL), 0);
		CHECK_INT(ctx_pair(&pairer, &c, NULL), 0);
		CHECK_INT(ctx_reads_find(&r, &c, &cases[i].opts, NULL), 0);
		CHECK_INT(ctx_reads_choose(&r, &c, NULL, &cases[i].opts,
		    NULL), 0);
		ctx_buf_reset(&got);
		dump(&got, &r);
		if (!CHECK_MEM(got.data != NULL ? got.data : "", got.len,
		    cases[i].want))
			fprintf(stderr, "\tin %s\n", cases[i].messages);
	}
	ctx_reads_done(&r);
	ctx_pairer_done(&pairer);
	ctx_convo_done(&c);
	ctx_buf_done(&raw);
	ctx_buf_done(&got);
}

int
main(void)
{
	RUN(test_find());
	return CHECK_DONE("reads");
}
