/* SPDX-License-Identifier: MIT */
/* Word lists; see words.h.  Each is sorted, which a test checks. */
#include "extract/words.h"

#include <stdlib.h>
#include <string.h>

static const char *const stop_words[] = {
	"a", "about", "above", "after", "again", "all", "also", "am", "an",
	"and", "any", "are", "aren", "as", "at", "be", "because", "been",
	"before", "being", "below", "between", "both", "but", "by", "can",
	"cannot", "could", "did", "do", "does", "doing", "don", "down",
	"during", "each", "else", "ever", "few", "for", "from", "further",
	"get", "go", "going", "gonna", "got", "had", "has", "have", "having",
	"he", "her", "here", "hers", "him", "his", "how", "i", "if", "in",
	"into", "is", "isn", "it", "its", "just", "kind", "know", "let",
	"like", "ll", "look", "m", "mean", "more", "most", "much", "my", "no",
	"nor", "not", "now", "of", "off", "oh", "ok", "okay", "on", "once",
	"one", "only", "or", "other", "our", "out", "over", "own", "please",
	"re", "really", "right", "s", "same", "say", "see", "she", "should",
	"so", "some", "sort", "such", "t", "than", "that", "the", "their",
	"them", "then", "there", "these", "they", "thing", "things", "think",
	"this", "those", "through", "to", "too", "uh", "um", "under", "until",
	"up", "us", "ve", "very", "want", "was", "wasn", "way", "we", "well",
	"were", "what", "when", "where", "which", "while", "who", "whom",
	"why", "will", "with", "won", "would", "yeah", "yes", "you", "your",
	"yours"
};

/* A star matches any ending. */
static const char *const cue_words[] = {
	"agree*", "because", "decid*", "important", "must", "need", "plan",
	"prefer", "problem", "propos*", "should", "suggest*", "want", "will"
};

static const char *const han_cues[] = {
	"决定", "因为", "希望", "应该", "建议", "必须", "想要",
	"所以", "认为", "重要", "问题", "需要"
};

/* The verbs of tools that only look, and of those that change something. */
static const char *const looks[] = {
	"ask", "calc", "calculate", "cat", "check", "compare", "compute",
	"count", "describe", "diff", "estimate", "explain", "fetch", "find",
	"get", "glob", "grep", "has", "help", "inspect", "is", "list", "load",
	"look", "lookup", "ls", "plan", "preview", "query", "read", "retrieve",
	"search", "see", "select", "show", "status", "summarize", "tail",
	"test", "think", "track", "validate", "verify", "view", "wait", "watch"
};

static const char *const deeds[] = {
	"accept", "add", "append", "apply", "approve", "archive", "assign",
	"attach", "block", "book", "buy", "cancel", "change", "charge",
	"checkin", "checkout", "clear", "close", "commit", "complete",
	"confirm", "copy", "create", "decline", "delete", "deploy", "disable",
	"drop", "edit", "enable", "enroll", "exchange", "execute", "expire",
	"extend", "file", "fill", "forward", "generate", "grant", "import",
	"insert", "install", "invite", "issue", "join", "kill", "launch",
	"lock", "make", "mark", "merge", "migrate", "modify", "move", "notify",
	"order", "overwrite", "patch", "pause", "pay", "place", "post",
	"publish", "purchase", "push", "put", "redeem", "refund", "register",
	"reject", "release", "remove", "rename", "renew", "reopen", "replace",
	"reply", "reschedule", "reserve", "reset", "resolve", "restart",
	"restore", "resume", "return", "revert", "revoke", "rollback", "save",
	"schedule", "sell", "send", "set", "share", "ship", "sign", "start",
	"stop", "submit", "subscribe", "swap", "terminate", "transfer",
	"trigger", "turn", "undo", "uninstall", "unlock", "unsubscribe",
	"update", "upgrade", "upload", "upsert", "void", "withdraw", "write"
};

static const char *const han_looks[] = {
	"列出", "推荐", "搜索", "查找", "查看", "查询", "查阅", "检查", "检索", "比较", "浏览",
	"统计", "获取", "计算", "读取"
};

static const char *const han_deeds[] = {
	"上传", "下单", "下载", "付款", "保存", "修改", "停止", "关闭", "写入", "创建", "删除",
	"发布", "发送", "取消", "变更", "启动", "安排", "开启", "换货", "提交", "支付", "改签",
	"新增", "新建", "更改", "更新", "注册", "添加", "申请", "登记", "确认", "移动", "移除",
	"订购", "设置", "购买", "转接", "转账", "退款", "退票", "退货", "部署", "重启", "预定",
	"预约", "预订"
};

static const char *const openers[] = {
	"alright", "and", "but", "great", "hello", "hi", "hmm", "mm", "no",
	"oh", "ok", "okay", "right", "so", "sure", "thank", "thanks", "uh",
	"um", "well", "yeah", "yep", "yes"
};

/* Longest first, because they are tried in order. */
static const char *const han_openers[] = {
	"你能不能", "能不能", "麻烦你", "你再", "你好", "你能", "其实", "可以", "好的", "对了",
	"就是", "帮忙", "帮我", "所以", "然后", "给我", "能否", "请你", "请您", "那么", "麻烦",
	"再", "哦", "啊", "嗯", "好", "能", "请", "那"
};

static const char *const han_closers[] = {
	"，", "。", "；", "、", "！", "？", "吗", "呢", "吧", "啊", "呀", "哦", "啦",
	"嘛", "呗"
};

const char ctx_word_han_grammar[] =
    "的了是我你他她它们在有和就都不也这那个吗呢吧啊哦嗯呀么很到说要去会着没看好"
    "自上下对还与及或之其为以于被把让给从向里中而且但因所能可您请谢";
const char ctx_word_han_border[] =
    "的了是我你您他她它们在有和就这那吗呢吧啊哦嗯呀么很去着没还与及或以被把让给"
    "从向里而但因所能可请谢想帮查找推荐个些为叫做说并也不到们";

struct key {
	const char *word;
	size_t len;
};

/* Compares as strcmp does; a star in the list's word matches the rest. */
static int
compare(const void *k, const void *w)
{
	const struct key *key = k;
	const char *word = *(const char *const *)w;
	size_t n = strlen(word);
	int d;

	if (n > 0 && word[n - 1] == '*') {
		n--;
		if (key->len >= n && memcmp(key->word, word, n) == 0)
			return 0;
	}
	d = memcmp(key->word, word, key->len < n ? key->len : n);
	if (d == 0)
		d = key->len < n ? -1 : key->len > n;
	return d;
}

/* The lists of enum ctx_words. */
#define LIST(words)	{ words, sizeof(words) / sizeof((words)[0]) }

static const struct {
	const char *const *word;
	size_t n;
} lists[] = {
	[CTX_WORD_STOP] = LIST(stop_words),
	[CTX_WORD_CUE] = LIST(cue_words),
	[CTX_WORD_HAN_CUE] = LIST(han_cues),
	[CTX_WORD_LOOK] = LIST(looks),
	[CTX_WORD_DEED] = LIST(deeds),
	[CTX_WORD_HAN_LOOK] = LIST(han_looks),
	[CTX_WORD_HAN_DEED] = LIST(han_deeds),
	[CTX_WORD_OPENER] = LIST(openers),
	[CTX_WORD_HAN_OPENER] = LIST(han_openers),
	[CTX_WORD_HAN_CLOSER] = LIST(han_closers)
};

int
ctx_word_is(enum ctx_words list, const char *word, size_t len)
{
	struct key key = { word, len };

	return bsearch(&key, lists[list].word, lists[list].n, sizeof(char *),
	    compare) != NULL;
}

size_t
ctx_word_affix(enum ctx_words list, const char *p, size_t len)
{
	size_t i, n;

	for (i = 0; i < lists[list].n; i++) {
		n = strlen(lists[list].word[i]);
		if (len >= n && memcmp(list == CTX_WORD_HAN_CLOSER ?
		    p + len - n : p, lists[list].word[i], n) == 0)
			return n;
	}
	return 0;
}
