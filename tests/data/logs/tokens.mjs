// SPDX-License-Identifier: MIT
// Tokens of logs in OpenAI's dialect, by gpt-tokenizer, which shares nothing with ctx:
//
//	cd /tmp && npm install gpt-tokenizer
//	node tokens.mjs /tmp/node_modules/gpt-tokenizer [cl100k_base] FILE...
//
// Each message is 4, its texts, and of each call the name and the arguments; the
// encoding is o200k_base unless it is named.  No count in tests comes from elsewhere.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [where, ...args] = process.argv.slice(2);
const name = args[0].endsWith("_base") ? args.shift() : "o200k_base";
const { encode } = createRequire(import.meta.url)(`${where}/cjs/encoding/${name}.js`);
const tokens = (text) => encode(text, { allowedSpecial: new Set() ,
  disallowedSpecial: new Set() }).length;

const texts = (content) => typeof content === "string" ? [content] :
  (content ?? []).filter((p) => p.type === "text").map((p) => p.text);

function count(message) {
  let n = 4;
  for (const text of texts(message.content)) n += tokens(text);
  for (const call of message.tool_calls ?? [])
    n += tokens(call.function.name) + tokens(call.function.arguments);
  return n;
}

for (const file of args) {
  const data = readFileSync(file);
  let messages = 0, sum = 0;
  for (const line of data.toString().split("\n").filter((l) => l !== "")) {
    const record = JSON.parse(line);
    for (const m of record.messages ?? [record]) {
      messages++;
      sum += count(m);
    }
  }
  console.log(`${String(sum).padStart(8)} ${String(messages).padStart(8)} ` +
    `${String(data.length).padStart(10)} ${file.split("/").pop()}`);
}
