/* SPDX-License-Identifier: MIT */
/* Contents of files in what tools return for them: tables by hand. */
#include "text/wrapped.h"

#include <string.h>

#include "check.h"

/* Arrows, as some tools have them after a number. */
#define TO "\xe2\x86\x92"
#define GEMINI "\nIMPORTANT: The file content has been truncated.\n" \
	"Status: Showing lines 24-25 of 55 total lines.\n" \
	"Action: To read more, use 'start_line'.\n\n" \
	"--- FILE CONTENT (truncated) ---\n"
#define OPEN "<path>/x/a.c</path>\n<type>file</type>\n<content>\n"

/* want is NULL if it is not sure what the contents are. */
static const struct {
	const char *path, *text, *want;
	unsigned from, to, total, more;
} cases[] = {
	/* what has nothing around it */
	{ "a.c", "int x;\n", "int x;\n", 0, 0, 0, 0 },
	{ "a.c", "", "", 0, 0, 0, 0 },
	{ "", "12 x", "12 x", 0, 0, 0, 0 },
	{ "a.log", "12:34:56 up\n12:34:57 down\n",
	    "12:34:56 up\n12:34:57 down\n", 0, 0, 0, 0 },

	/* line numbers */
	{ "", "     1\ta\n     2\tb\n", "a\nb\n", 1, 2, 0, 0 },
	{ "", "1: a\n2: b", "a\nb\n", 1, 2, 0, 0 },
	{ "", "10|a\n11|b\n", "a\nb\n", 10, 11, 0, 0 },
	{ "", "3 | a\n4 | b\n", "a\nb\n", 3, 4, 0, 0 },
	{ "", " 9 | a\n10 |\n", "a\n\n", 9, 10, 0, 0 },
	{ "", "5" TO "a\n6" TO "b\n", "a\nb\n", 5, 6, 0, 0 },
	{ "", "1\t x\n", " x\n", 1, 1, 0, 0 },
	{ "", "1:\n2:\n", "\n\n", 1, 2, 0, 0 },
	{ "", "1: \n2:  x\n", "\n x\n", 1, 2, 0, 0 },
	{ "", "            1\ta\n", "a\n", 1, 1, 0, 0 },
	{ "", "             1\ta\n", "             1\ta\n", 0, 0, 0, 0 },
	{ "", "1234567890\ta\n", "1234567890\ta\n", 0, 0, 0, 0 },
	{ "", "a\n1\tb\n", "a\n1\tb\n", 0, 0, 0, 0 },
	/* a table's ids, or a tool's numbers */
	{ "a.tsv", "1\tx\t2\n2\ty\t4\n", NULL, 0, 0, 0, 0 },
	{ "a.psv", "7|x\n8|y\n", NULL, 0, 0, 0, 0 },
	{ "a.tsv", "     1\tx\t2\n     2\ty\t4\n", "x\t2\ny\t4\n", 1, 2, 0,
	    0 },
	{ "a.csv", "1,x\n2,y\n", "1,x\n2,y\n", 0, 0, 0, 0 },
	/* a gap, two kinds, a text that goes on, a number that may be its */
	{ "", "7\ta\n9\tb\n", NULL, 0, 0, 0, 0 },
	{ "", "1\ta\n2\tb\n4\td\n", NULL, 0, 0, 0, 0 },
	{ "", "1\ta\n2\tb\nc\n", NULL, 0, 0, 0, 0 },
	{ "", "7\ta\n", NULL, 0, 0, 0, 0 },

	/* remarks */
	{ "", "1\ta\n2\tb\n(End of file)", "a\nb\n", 1, 2, 0, 0 },
	{ "", "1\ta\n2\tb\n\n<note>careful</note>", "a\nb\n", 1, 2, 0, 0 },
	{ "", "1\ta\n2\tb\n(there is more)", "a\nb\n", 1, 2, 0, 1 },
	{ "a.c", "x\ny\n\n[2 more lines in file. Use offset=54 to "
	    "continue.]", "x\ny", 0, 0, 0, 1 },
	{ "a.c", "x\n\n[Showing lines 1-1 of 9. Use offset=2 to continue.]",
	    "x", 1, 1, 9, 1 },
	{ "a.c", "x\n[... 20 lines omitted ...]\ny\n", NULL, 0, 0, 0, 0 },
	{ "a.c", "x\n... (truncated)\n", NULL, 0, 0, 0, 0 },
	{ "a.c", "x = truncated;\n", "x = truncated;\n", 0, 0, 0, 0 },

	/* what shells of agents write around it */
	{ "a.c", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nx\ny\n",
	    "x\ny\n", 0, 0, 0, 0 },
	{ "a.c", "Exit code: 0\nWall time: 0.1 seconds\nTotal output lines: "
	    "90\nOutput:\nx\n", NULL, 0, 0, 0, 0 },
	{ "a.c", "Exit code: 1\nWall time: 0.1 seconds\nOutput:\nx\n", NULL,
	    0, 0, 0, 0 },
	{ "a.c", "Command executed.\nOutput:\nx\n", "x\n", 0, 0, 0, 0 },

	/* what they cut, or have not yet */
	{ "a.c", "Tool output was too large and has been truncated.\nx\n",
	    NULL, 0, 0, 0, 0 },
	{ "a.c", "x\n...\n... [CONTENT TRUNCATED] ...\n...y\n", NULL, 0, 0,
	    0, 0 },
	{ "a.c", "enum state { TRUNCATED };\n", "enum state { TRUNCATED };\n",
	    0, 0, 0, 0 },
	{ "a.c", "x\n\n<bash_metadata>\nbash tool cut it off\n"
	    "</bash_metadata>", NULL, 0, 0, 0, 0 },
	{ "a.c", "Command is still running in the user's terminal.\nx\n",
	    NULL, 0, 0, 0, 0 },

	/* directories */
	{ "/x", "Here're the files and directories up to 2 levels deep in /x:"
	    "\n/x/a.c\n", NULL, 0, 0, 0, 0 },
	{ "/x", "User id: 1000\n-rw-r--r-- 1 1000 1000 9 Jun 01 10:00 /x/a.c\n",
	    NULL, 0, 0, 0, 0 },
	{ "HEAD:src", "tree HEAD:src\n\na.c\n", NULL, 0, 0, 0, 0 },
	{ "/x/HEAD:src", "tree HEAD:src\n\na.c\n", NULL, 0, 0, 0, 0 },
	{ "HEAD:src", "tree of life\n\na\n", "tree of life\n\na\n", 0, 0, 0,
	    0 },
	{ "src", "[{'type':'dir','name':'b','path':'src/b','sha':'0'}]", NULL,
	    0, 0, 0, 0 },
	{ "src", "[{'type':'dir','name':'b'}]", "[{'type':'dir','name':'b'}]",
	    0, 0, 0, 0 },

	/* lines that name the file */
	{ "NOTES.md", "Content of NOTES.md:\n# a\n", "# a\n", 0, 0, 0, 0 },
	{ "/x/a.c", "Content of x/a.c:\nb\n", "b\n", 0, 0, 0, 0 },
	{ "a.c", "Content of b.c:\nb\n", "Content of b.c:\nb\n", 0, 0, 0, 0 },
	{ "a.c", "Contents of a.c:\n1: x\n2: y\n... +46 lines", "x\ny\n", 1, 2,
	    0, 1 },
	{ "a.c", "Lines 24-25 of a.c:\n24: x\n25: y", "x\ny\n", 24, 25, 0, 0 },
	{ "a.c", "Lines 23-24 of a.c:\n24: x\n25: y", NULL, 0, 0, 0, 0 },
	{ "a.c", "a.c:\nx\n\n", "x\n", 0, 0, 0, 0 },
	{ "a.c", "a.c:\nx\n", "x", 0, 0, 0, 0 },
	{ "a.c", "a.c:\nx", "x", 0, 0, 0, 0 },
	{ "a.c", "a.c:\n", "", 0, 0, 0, 0 },
	{ "a.c", "x\n\nShell cwd was reset to /home/u", "x\n", 0, 0, 0, 0 },
	{ "a.c", "x\nShell cwd was reset to /a\ny\n",
	    "x\nShell cwd was reset to /a\ny\n", 0, 0, 0, 0 },
	{ "a.c", "Command executed.\nOutput:\nx\n", "x\n", 0, 0, 0, 0 },
	{ "a.c", "b.c:\nx\n", "b.c:\nx\n", 0, 0, 0, 0 },
	{ "a.c", "--- /b/a.c ---\n\nx\n\n--- End of content ---", "x\n", 0, 0,
	    0, 0 },
	{ "", "--- /b/a.c ---\n\nx\n\n--- End of content ---", NULL, 0, 0, 0,
	    0 },
	{ "b/*.c", "--- /b/a.c ---\n\nx\n", NULL, 0, 0, 0, 0 },
	{ "a.diff", "--- a.c\n+++ b.c\n", "--- a.c\n+++ b.c\n", 0, 0, 0, 0 },
	{ "a.c", "Showing lines 25-26 of 55 total lines.\n\n---\n\nx\ny",
	    "x\ny", 25, 26, 55, 0 },
	{ "a.c", "Showing lines 26-25 of 55 total lines.\n\n---\n\nx\ny", NULL,
	    0, 0, 0, 0 },
	{ "a.c", GEMINI "x\ny", "x\ny", 24, 25, 55, 0 },
	{ "/x/a.c", OPEN "1: x\n2: y\n\n(End of file - total 2 lines)\n"
	    "</content>", "x\ny\n", 1, 2, 2, 0 },
	{ "/x/a.c", OPEN "3: x\n4: y\n\n(File has more lines. Use 'offset' "
	    "parameter to read beyond line 4)\n</content>", "x\ny\n", 3, 4, 0,
	    1 },
	{ "/x/a.c", OPEN "1: x\n2: y\n\n(End of file - total 1 lines)\n"
	    "</content>", NULL, 0, 0, 0, 0 },
	{ "/x/a.c", "<path>/x/a.c</path>\nx\n", NULL, 0, 0, 0, 0 },
	{ "a.c", "<system-reminder>It is empty.</system-reminder>", NULL, 0, 0,
	    0, 0 },

	/* JSON around it, here with ' for " */
	{ "a.c", "{'ok':true,'content':'x\\ny\\n'}", "x\ny\n", 0, 0, 0, 0 },
	{ "a.c", "{'success':true,'path':'a.c','content':'1\\tx\\n2\\ty\\n'}",
	    "x\ny\n", 1, 2, 0, 0 },
	{ "a.c", "{'content':[{'type':'text','text':'x\\n'}]}", "x\n", 0, 0, 0,
	    0 },
	{ "a.c", "{'content':[{'type':'text','text':'{\\'ok\\':true,"
	    "\\'content\\':\\'x\\'}'}],'isError':false}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'type':'json','value':{'content':'x'}}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'result':{'content':'x'}}", "x", 0, 0, 0, 0 },
	{ "a.c", "[{'query':'a.c','result':' 1 | x\\n 2 | y','success':true}]",
	    "x\ny\n", 1, 2, 0, 0 },
	{ "a.c", "{'content':'x\\ny','startLine':3,'endLine':4,'totalLines':9}",
	    "x\ny", 3, 4, 9, 0 },
	{ "", "{'ok':true,'content':'x'}", "x", 0, 0, 0, 0 },
	/* not all of it, not a file, not known, cut off */
	{ "a.c", "{'ok':false,'content':'x'}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'status':'error','content':'x'}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'content':'x','truncated':true}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'output':'x','exitCode':0}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'output':'x','exitCode':2}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'output':'x','metadata':{'exit_code':0}}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'output':'x','metadata':{'exit_code':1}}", NULL, 0, 0, 0,
	    0 },
	{ "a.c", "x\ny\nError: (none)\nExit Code: 1\nSignal: (none)\n", NULL, 0,
	    0, 0, 0 },
	{ "a.c", "x\ny\n[exit code: 1]\n", NULL, 0, 0, 0, 0 },
	{ "a.c", "x\n/* the exit code */\n", "x\n/* the exit code */\n", 0, 0,
	    0, 0 },
	{ "a.c", "/bin/bash: line 1: cd: d: No such file or directory\nx\n",
	    NULL, 0, 0, 0, 0 },
	{ "a.c", "{'content':'eA==','encoding':'base64'}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'content':'eA=\\n=\\n','encoding':'base64'}", "x", 0, 0, 0,
	    0 },
	{ "a.json", "{'content':'eA==','encoding':'base64'}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'content':'x!','encoding':'base64'}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'content':'eA==','encoding':'hex'}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'contents':[{'uri':'file:///a.c','mimeType':'text/x-c',"
	    "'blob':'eA=='}]}", "x", 0, 0, 0, 0 },
	{ "a.c", "{'type':'resource','resource':{'uri':'a','blob':'eA=='}}",
	    "x", 0, 0, 0, 0 },
	{ "a.png", "{'type':'image','data':'eA==','mimeType':'image/png'}", "x",
	    0, 0, 0, 0 },
	{ "a.c", "{'type':'text','data':'eA==','mimeType':'text/plain'}",
	    "eA==", 0, 0, 0, 0 },
	{ "a.c", "{'content':'x','text':'y'}", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'content':'x','page':1}", NULL, 0, 0, 0, 0 },
	{ "a.c", "[{'type':'text','text':'x'},{'type':'text','text':'y'}]",
	    NULL, 0, 0, 0, 0 },
	{ "a.c", "{'content':'x", NULL, 0, 0, 0, 0 },
	{ "a.c", "{'content':3}", NULL, 0, 0, 0, 0 },
	/* files that are JSON */
	{ "a.json", "{'a':1,'b':2}", "{'a':1,'b':2}", 0, 0, 0, 0 },
	{ "a.json", "{'ok':true,'content':'{}'}", "{}", 0, 0, 0, 0 },
	{ "a.json", "{'ok':true,'content':'x'}", NULL, 0, 0, 0, 0 },
	{ ".babelrc", "{'presets':[]}", "{'presets':[]}", 0, 0, 0, 0 },
	{ "a.log", "{'a':1}\n{'a':2}\n", "{'a':1}\n{'a':2}\n", 0, 0, 0, 0 },
	{ "a.jsonl", "{'a':1}\n{'a':2}\n", "{'a':1}\n{'a':2}\n", 0, 0, 0, 0 },
};

static void
quoted(const char *s, struct ctx_buf *out)
{
	ctx_buf_reset(out);
	ctx_buf_adds(out, "");
	for (; *s == '{' || *s == '[' || out->len > 0 ? *s != '\0' : 0; s++)
		ctx_buf_addc(out, *s == '\'' ? '"' : *s);
}

int
main(void)
{
	struct ctx_wrapped w = { 0 };
	struct ctx_buf in = { 0 }, want = { 0 };
	struct ctx_str path, text;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TEST("text %s", cases[i].text);
		quoted(cases[i].text, &in);
		path.p = cases[i].path;
		path.len = (uint32_t)strlen(path.p);
		text = ctx_str_of(&in);
		if (in.len == 0) {
			text.p = cases[i].text;
			text.len = (uint32_t)strlen(text.p);
		}
		rc = ctx_wrapped_open(&w, path, text);
		if (!CHECK_INT(rc, cases[i].want != NULL))
			fprintf(stderr, "\tin %s\n", cases[i].text);
		if (rc != 1 || cases[i].want == NULL)
			continue;
		quoted(cases[i].want, &want);
		CHECK_MEM(w.p, w.len, want.len > 0 ? ctx_buf_str(&want) :
		    cases[i].want);
		CHECK_INT(w.lines.from, cases[i].from);
		CHECK_INT(w.lines.to, cases[i].to);
		CHECK_INT(w.lines.total, cases[i].total);
		CHECK_INT(w.lines.more, cases[i].more);
	}
	ctx_wrapped_done(&w);
	ctx_buf_done(&in);
	ctx_buf_done(&want);
	return CHECK_DONE("wrapped");
}
