/* SPDX-License-Identifier: MIT */
#include "digest/digest_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "digest/encoding.h"
#include "read/span.h"

#define PATH_BYTES	4096	/* of a file's name */

/* The words for everything in English and Chinese; key is the JSON member. */
struct words {
	const char *key, *en, *ens, *zh;
};

static const struct words figure_words[CTX_FIGURES] = {
	[CTX_FIG_LINES] = { "lines", " line", " lines", "行" },
	[CTX_FIG_ROWS] = { "rows", " row", " rows", "行" },
	[CTX_FIG_COLUMNS] = { "column_count", " column", " columns", "列" },
	[CTX_FIG_ITEMS] = { "elements", " element", " elements", "个元素" },
	[CTX_FIG_RECORDS] = { "records", " record", " records", "条记录" },
	[CTX_FIG_CELLS] = { "cells", " cell", " cells", "个单元格" },
	[CTX_FIG_SHEETS] = { "sheet_count", " sheet", " sheets", "个工作表" },
	[CTX_FIG_FILES] = { "file_count", " file", " files", "个文件" },
	[CTX_FIG_PAGES] = { "pages", " page", " pages", "页" },
	[CTX_FIG_ADDED] = { "added", "", "", "" },
	[CTX_FIG_REMOVED] = { "removed", "", "", "" },
	[CTX_FIG_ERRORS] = { "errors", " error", " errors", "个错误" },
	[CTX_FIG_WARNINGS] = { "warnings", " warning", " warnings", "个警告" },
	[CTX_FIG_PACKAGES] = { "packages", " package", " packages", "个包" },
	[CTX_FIG_OPERATIONS] = { "operations", " operation", " operations",
	    "个操作" },
	[CTX_FIG_INDIRECT] = { "indirect", " indirect dependency",
	    " indirect dependencies", "个间接依赖" },
	[CTX_FIG_PASSED] = { "passed", " passed", " passed", "个通过" },
	[CTX_FIG_FAILED] = { "failed", " failed", " failed", "个失败" },
	[CTX_FIG_SKIPPED] = { "skipped", " skipped", " skipped", "个跳过" },
	[CTX_FIG_SLIDES] = { "slide_count", " slide", " slides", "张幻灯片" },
	[CTX_FIG_SIZE] = { "bytes", "", "", "" },
	[CTX_FIG_UNPACKED] = { "unpacked", " unpacked", " unpacked",
	    "（解压后）" },
	[CTX_FIG_INVALID] = { "invalid", "not valid", "not valid",
	    "格式有误" },
};

static const struct words list_words[CTX_LISTS] = {
	[CTX_FUNCTIONS] = { "function", "functions", NULL, "函数" },
	[CTX_CLASSES] = { "class", "classes", NULL, "类" },
	[CTX_TYPES] = { "type", "types", NULL, "类型" },
	[CTX_COLUMNS] = { "columns", "columns", NULL, "列" },
	[CTX_KEYS] = { "keys", "keys", NULL, "键" },
	[CTX_HEADINGS] = { "headings", "headings", NULL, "标题" },
	[CTX_TABLES] = { "tables", "tables", NULL, "表" },
	[CTX_SECTIONS] = { "sections", "sections", NULL, "节" },
	[CTX_SELECTORS] = { "selectors", "selectors", NULL, "选择器" },
	[CTX_ELEMENTS] = { "tags", "elements", NULL, "元素" },
	[CTX_TARGETS] = { "targets", "targets", NULL, "目标" },
	[CTX_STAGES] = { "stages", "stages", NULL, "阶段" },
	[CTX_SHEETS] = { "sheets", "sheets", NULL, "工作表" },
	[CTX_SLIDES] = { "slides", "titles", NULL, "标题" },
	[CTX_FILES] = { "files", "files", NULL, "文件" },
	[CTX_ALL_IN] = { "all_in", "all in", NULL, "均在" },
	[CTX_FOLDERS] = { "folders", "folders", NULL, "文件夹" },
	[CTX_KINDS] = { "kinds", "kinds", NULL, "种类" },
	[CTX_UNOPENED] = { "unopened", "cannot be opened", NULL,
	    "无法打开" },
	[CTX_TITLE] = { "title", "name", NULL, "名称" },
	[CTX_REQUIRES] = { "requires", "requires", NULL, "要求" },
	[CTX_RUN_SCRIPTS] = { "scripts", "scripts", NULL, "脚本" },
	[CTX_DEPENDENCIES] = { "dependencies", "dependencies", NULL, "依赖" },
	[CTX_DEV] = { "dev_dependencies", "dev dependencies", NULL,
	    "开发依赖" },
	[CTX_MEMBERS] = { "members", "members", NULL, "成员" },
	[CTX_FEATURES] = { "features", "features", NULL, "特性" },
	[CTX_IMAGES] = { "images", "images", NULL, "镜像" },
	[CTX_PORTS] = { "ports", "ports", NULL, "端口" },
	[CTX_ENTRY] = { "entry_point", "entry point", NULL, "入口" },
	[CTX_TRIGGERS] = { "triggers", "triggers", NULL, "触发条件" },
	[CTX_JOBS] = { "jobs", "jobs", NULL, "作业" },
	[CTX_SERVICES] = { "services", "services", NULL, "服务" },
	[CTX_RESOURCES] = { "resources", "resources", NULL, "资源" },
	[CTX_PATHS] = { "paths", "paths", NULL, "路径" },
	[CTX_PROPERTIES] = { "properties", "properties", NULL, "属性" },
	[CTX_REQUIRED] = { "required", "required", NULL, "必填" },
	[CTX_DEFINITIONS] = { "definitions", "definitions", NULL, "定义" },
	[CTX_VARIABLES] = { "variables", "variables", NULL, "变量" },
	[CTX_FAILURES] = { "failures", "failures", NULL, "失败项" },
};

static const struct words type_words[] = {
	{ "", "text", NULL, "文本" },
	{ "", "log", NULL, "日志" },
	{ "", "binary", NULL, "二进制" },
	{ "", "notebook", NULL, "笔记本" },
	{ "", "font", NULL, "字体" },
	{ "", "npm package", NULL, "npm包" },
	{ "", "npm lockfile", NULL, "npm锁文件" },
	{ "", "Composer package", NULL, "Composer包" },
	{ "", "Composer lockfile", NULL, "Composer锁文件" },
	{ "", "Pipenv lockfile", NULL, "Pipenv锁文件" },
	{ "", "Yarn lockfile", NULL, "Yarn锁文件" },
	{ "", "Bundler lockfile", NULL, "Bundler锁文件" },
	{ "", "Go module", NULL, "Go模块" },
	{ "", "Go checksums", NULL, "Go校验和" },
	{ "", "Cargo package", NULL, "Cargo包" },
	{ "", "Cargo workspace", NULL, "Cargo工作区" },
	{ "", "Cargo lockfile", NULL, "Cargo锁文件" },
	{ "", "Python project", NULL, "Python项目" },
	{ "", "Poetry lockfile", NULL, "Poetry锁文件" },
	{ "", "uv lockfile", NULL, "uv锁文件" },
	{ "", "pnpm lockfile", NULL, "pnpm锁文件" },
	{ "", "GitHub workflow", NULL, "GitHub工作流" },
	{ "", "build log", NULL, "构建日志" },
	{ "", "Debian package", NULL, "Debian软件包" },
	{ "", "RPM package", NULL, "RPM软件包" },
	{ "", "Java archive", NULL, "Java归档" },
	{ "", "Python wheel", NULL, "Python wheel包" },
	{ "", "Maven project", NULL, "Maven项目" },
	{ "", "environment", NULL, "环境变量" },
};

static const char *const kind_words[] = {
	[CTX_FILE_TEXT] = "text", [CTX_FILE_CODE] = "code",
	[CTX_FILE_MARKUP] = "markup", [CTX_FILE_DATA] = "data",
	[CTX_FILE_TABLE] = "table", [CTX_FILE_NOTEBOOK] = "notebook",
	[CTX_FILE_LOG] = "log", [CTX_FILE_DIFF] = "diff",
	[CTX_FILE_IMAGE] = "image", [CTX_FILE_DOCUMENT] = "document",
	[CTX_FILE_ARCHIVE] = "archive", [CTX_FILE_BINARY] = "binary",
};

/* How a line begins: file read, file written. */
static const char *const marks[][2] = {
	[CTX_EN] = { "[file read] ", "[file written] " },
	[CTX_ZH] = { "[文件已读取] ", "[文件已写入] " },
};

void
ctx_digest_mark(struct ctx_buf *out, enum ctx_wording lang)
{
	ctx_buf_adds(out, marks[lang][0]);
}

int
ctx_digest_is_line(const char *p, size_t len)
{
	return ctx_digest_begins(marks, p, len);
}

int
ctx_digest_begins(const char *const of[][2], const char *p, size_t len)
{
	size_t i, n;

	for (i = 0; i < 4; i++) {
		n = strlen(of[i / 2][i % 2]);
		if (len >= n && memcmp(p, of[i / 2][i % 2], n) == 0)
			return 1;
	}
	return 0;
}

void
ctx_digest_size(struct ctx_buf *out, uint64_t bytes)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB" };
	double v = (double)bytes;
	uint64_t tenths;
	int u = 0;

	while (v >= 1023.95 && u < 4) {
		v /= 1024;
		u++;
	}
	tenths = (uint64_t)(v * 10 + 0.5);
	if (u == 0 || tenths >= 1000 || tenths % 10 == 0)
		ctx_buf_addf(out, "%.0f%s", v, units[u]);
	else
		ctx_buf_addf(out, "%.1f%s", v, units[u]);
}

static void
add_figure(struct ctx_buf *out, enum ctx_figure figure, uint64_t n,
    enum ctx_wording lang)
{
	const struct words *w = &figure_words[figure];
	const char *unit = lang == CTX_ZH ? w->zh : n == 1 ? w->en : w->ens;

	if (figure == CTX_FIG_SIZE || figure == CTX_FIG_UNPACKED) {
		ctx_digest_size(out, n);
		ctx_buf_adds(out, unit);
	} else if (figure == CTX_FIG_INVALID)
		ctx_buf_adds(out, unit);
	else
		ctx_buf_addf(out, "%s%" PRIu64 "%s",
		    figure == CTX_FIG_ADDED ? "+" :
		    figure == CTX_FIG_REMOVED ? "−" : "", n, unit);
}

static void
add_type(struct ctx_buf *out, const struct ctx_digest *d,
    enum ctx_wording lang)
{
	const char *type = d->type;
	size_t i;

	if (d->packing != NULL)
		ctx_buf_addf(out, lang == CTX_ZH ? "%s压缩的" : "%s of ",
		    d->packing);

	if (lang == CTX_ZH)
		for (i = 0; i < sizeof(type_words) / sizeof(type_words[0]); i++)
			if (strcmp(type_words[i].en, type) == 0)
				type = type_words[i].zh;
	ctx_buf_adds(out, type);
}

/* Add everything before the lists. */
static void
add_head(struct ctx_buf *out, const struct ctx_digest *d,
    enum ctx_wording lang)
{
	size_t i;
	enum ctx_figure f;

	ctx_name_clean(out, d->name, strlen(d->name), PATH_BYTES);
	ctx_buf_adds(out, " (");
	add_type(out, d, lang);
	if (d->language != NULL)
		ctx_buf_addf(out, ", %s", d->language);
	if (d->encoding == ctx_encoding_unknown)
		ctx_buf_adds(out, lang == CTX_ZH ? ", 非UTF-8" : ", not UTF-8");
	else if (d->encoding != NULL)
		ctx_buf_addf(out, ", %s", d->encoding);
	if (d->last > 0)
		ctx_buf_addf(out, lang == CTX_ZH ? ", 最后%" PRIu64 "行" :
		    ", last %" PRIu64 " lines", d->last);
	else if (d->from > 0 && lang == CTX_ZH)
		ctx_buf_addf(out, ", 第%" PRIu64 "–%" PRIu64 "行", d->from,
		    d->to);
	else if (d->from > 0)
		ctx_buf_addf(out, ", lines %" PRIu64 "–%" PRIu64, d->from,
		    d->to);
	if (d->width > 0)
		ctx_buf_addf(out, ", %" PRIu32 "×%" PRIu32, d->width,
		    d->height);
	for (i = 0; i < d->nfigure; i++) {
		f = d->figure[i].figure;
		/* For a part of a file, its lines were already given. */
		if (d->from > 0 && (f == CTX_FIG_LINES || f == CTX_FIG_ROWS))
			continue;
		ctx_buf_adds(out, ", ");
		if (d->partial && f != CTX_FIG_SIZE && f != CTX_FIG_COLUMNS)
			ctx_buf_adds(out, lang == CTX_ZH ? "至少" :
			    "at least ");
		add_figure(out, f, d->figure[i].n, lang);
	}
	if (d->since[0] != '\0')
		ctx_buf_addf(out, ", %s – %s", d->since, d->until);
}

/* How much of a list is shown. */
struct shown {
	uint64_t names;		/* distinct names */
	size_t full;		/* characters of all, with ", " */
	size_t room;		/* characters that it may use */
};

/* Store the sizes of the lists that are shown in s; returns their number. */
static size_t
measure(const struct ctx_digest *d, struct shown *s)
{
	const struct ctx_name *v;
	size_t i, n = 0;

	for (i = 0; i < CTX_LISTS; i++) {
		s[i].names = d->names.distinct[i];
		/* The only sheet of a workbook needs no name. */
		if (i == CTX_SHEETS && s[i].names == 1)
			s[i].names = 0;
		n += s[i].names > 0;
	}
	for (i = 0; i < d->names.n; i++) {
		v = &d->names.v[i];
		if (!v->again)
			s[v->list].full += 2 + ctx_utf8_count(
			    ctx_name_text(&d->names, v), v->len);
	}
	return n;
}

/*
 * Divide room among n lists: what the short ones do not use goes to the long.
 */
static void
share(struct shown *s, size_t n, size_t room)
{
	size_t i, part, rest;

	for (i = 0; i < CTX_LISTS; i++)
		s[i].room = SIZE_MAX;
	do {
		part = n > 0 ? room / n : 0;
		rest = n;
		for (i = 0; i < CTX_LISTS; i++)
			if (s[i].names > 0 && s[i].room == SIZE_MAX &&
			    s[i].full <= part) {
				s[i].room = s[i].full;
				room -= s[i].full;
				n--;
			}
	} while (n > 0 && n < rest);
	for (i = 0; i < CTX_LISTS; i++)
		if (s[i].room == SIZE_MAX)
			s[i].room = part;
}

/* Add ", functions: a, b, … +3", using no more than the list's room. */
static void
add_list(struct ctx_buf *out, const struct ctx_digest *d, enum ctx_list list,
    const struct shown *s, enum ctx_wording lang)
{
	const struct ctx_name *v;
	size_t i, used = 0, n;
	uint64_t put = 0;
	int inner, full = 0;

	ctx_buf_addf(out, ", %s: ", lang == CTX_ZH ? list_words[list].zh :
	    list_words[list].en);
	/* Names that are not indented matter most, so they come first. */
	for (inner = 0; inner < 2 && !full; inner++)
		for (i = 0; i < d->names.n && !full; i++) {
			v = &d->names.v[i];
			if (v->list != list || v->again || v->inner != inner)
				continue;
			n = 2 + ctx_utf8_count(ctx_name_text(&d->names, v),
			    v->len);
			if (put > 0 && used + n > s->room) {
				full = 1;
				break;
			}
			if (put++ > 0)
				ctx_buf_adds(out, ", ");
			ctx_buf_add(out, ctx_name_text(&d->names, v), v->len);
			used += n;
		}
	if (put < s->names)
		ctx_buf_addf(out, ", … +%" PRIu64, s->names - put);
	else if (d->partial)
		ctx_buf_adds(out, ", …");
}

/* The line without its mark; the text of the line begins at start. */
static int
add_rest(const struct ctx_digest *d, enum ctx_wording lang, size_t width,
    struct ctx_buf *out, size_t start)
{
	struct shown s[CTX_LISTS] = { { 0 } };
	size_t i, n, used;

	add_head(out, d, lang);
	if (out->failed)
		return -1;
	n = measure(d, s);
	used = ctx_utf8_count(out->data + start, out->len - start) + 1;
	for (i = 0; i < CTX_LISTS; i++)
		if (s[i].names > 0)	/* its word, and "… +123" */
			used += 10 + strlen(list_words[i].en);
	share(s, n, width == 0 ? SIZE_MAX / 2 : used < width ? width - used :
	    0);
	for (i = 0; i < CTX_LISTS; i++)
		if (s[i].names > 0)
			add_list(out, d, (enum ctx_list)i, &s[i], lang);
	ctx_buf_addc(out, ')');
	return out->failed ? -1 : 0;
}

int
ctx_digest_line(const struct ctx_digest *d, enum ctx_wording lang,
    size_t width, struct ctx_buf *out)
{
	size_t start = out->len;

	ctx_buf_adds(out, marks[lang][d->wrote]);
	return add_rest(d, lang, width, out, start);
}

int
ctx_digest_item(const struct ctx_digest *d, enum ctx_wording lang,
    size_t width, struct ctx_buf *out)
{
	return add_rest(d, lang, width, out, out->len);
}

static void
add_string(struct ctx_buf *out, const char *text, size_t len)
{
	ctx_buf_addc(out, '"');
	ctx_str_encode(out, text, len);
	ctx_buf_addc(out, '"');
}

/* A file's name may have any bytes; what is not UTF-8 is replaced. */
static void
add_path(struct ctx_buf *out, const char *p)
{
	size_t len = strlen(p), n;
	int cut;

	ctx_buf_addc(out, '"');
	for (;;) {
		n = ctx_utf8_check(p, len);
		ctx_str_encode(out, p, n);
		if (n == len)
			break;
		ctx_buf_adds(out, "\xef\xbf\xbd");
		n += ctx_utf8_bad(p + n, len - n, &cut);
		p += n;
		len -= n;
	}
	ctx_buf_addc(out, '"');
}

/* List functions, classes and types in the order of their lines. */
static void
add_symbols(struct ctx_buf *out, const struct ctx_digest *d)
{
	const struct ctx_name *v;
	size_t i, n = 0;

	for (i = 0; i < d->names.n; i++) {
		v = &d->names.v[i];
		if (v->list > CTX_TYPES)
			continue;
		ctx_buf_adds(out, n++ == 0 ? ",\"symbols\":[" : ",");
		ctx_buf_addf(out, "{\"kind\":\"%s\",\"name\":",
		    list_words[v->list].key);
		add_string(out, ctx_name_text(&d->names, v), v->len);
		if (v->line > 0)
			ctx_buf_addf(out, ",\"line\":%" PRIu32, v->line);
		ctx_buf_addc(out, '}');
	}
	if (n > 0)
		ctx_buf_addc(out, ']');
}

static void
add_names(struct ctx_buf *out, const struct ctx_digest *d, enum ctx_list list)
{
	const struct ctx_name *v;
	size_t i, n = 0;

	if (d->names.distinct[list] == 0)
		return;
	ctx_buf_addf(out, ",\"%s\":[", list_words[list].key);
	for (i = 0; i < d->names.n; i++) {
		v = &d->names.v[i];
		if (v->list != list || v->again)
			continue;
		if (n++ > 0)
			ctx_buf_addc(out, ',');
		add_string(out, ctx_name_text(&d->names, v), v->len);
	}
	ctx_buf_addc(out, ']');
}

static void
add_packing(struct ctx_buf *out, const struct ctx_digest *d)
{
	if (d->packing != NULL)
		ctx_buf_addf(out, ",\"packing\":\"%s\"", d->packing);
	if (d->partial)
		ctx_buf_adds(out, ",\"partial\":true");
}

int
ctx_digest_json(const struct ctx_digest *d, struct ctx_buf *out)
{
	const char *base = strrchr(d->name, '/');
	size_t i;
	int list;

	base = base == NULL ? d->name : base + 1;
	ctx_buf_adds(out, "\"name\":");
	add_path(out, base);
	ctx_buf_adds(out, ",\"path\":");
	add_path(out, d->name);
	ctx_buf_addf(out, ",\"kind\":\"%s\",\"language\":\"%s\",\"bytes\":%"
	    PRIu64, kind_words[d->kind], d->language != NULL ? d->language :
	    d->type, d->bytes);
	if (d->text)
		ctx_buf_addf(out, ",\"lines\":%" PRIu64 ",\"chars\":%" PRIu64,
		    d->lines, d->chars);
	if (d->encoding != NULL)
		ctx_buf_addf(out, ",\"encoding\":\"%s\"", d->encoding);
	if (d->from > 0 && d->last == 0)
		ctx_buf_addf(out, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64,
		    d->from, d->to);
	if (d->width > 0)
		ctx_buf_addf(out, ",\"width\":%" PRIu32 ",\"height\":%" PRIu32,
		    d->width, d->height);
	if (d->since[0] != '\0')
		ctx_buf_addf(out, ",\"since\":\"%s\",\"until\":\"%s\"",
		    d->since, d->until);
	add_packing(out, d);
	for (i = 0; i < d->nfigure; i++)
		if (d->figure[i].figure == CTX_FIG_INVALID)
			ctx_buf_adds(out, ",\"invalid\":true");
		else if (d->figure[i].figure != CTX_FIG_SIZE &&
		    (d->figure[i].figure != CTX_FIG_LINES || !d->text))
			ctx_buf_addf(out, ",\"%s\":%" PRIu64,
			    figure_words[d->figure[i].figure].key,
			    d->figure[i].n);
	add_symbols(out, d);
	for (list = CTX_COLUMNS; list < CTX_LISTS; list++)
		add_names(out, d, (enum ctx_list)list);
	return out->failed ? -1 : 0;
}
