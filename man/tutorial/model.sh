#!/bin/sh
# model.sh: answer a request as a model behind OpenAI's API might, offline.
if grep -q 'monday wednesday'; then
	cat <<-'END'
	{"choices":[{"index":0,"finish_reason":"stop","message":
	{"role":"assistant","content":"No. Only Monday and Wednesday are uploaded."}}]}
	END
else
	cat <<-'END'
	{"choices":[{"index":0,"finish_reason":"tool_calls","message":
	{"role":"assistant","content":null,"tool_calls":[{"id":"call_9",
	"type":"function","function":{"name":"days",
	"arguments":"{}"}}]}}]}
	END
fi
