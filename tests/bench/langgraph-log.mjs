// SPDX-License-Identifier: MIT
// langgraph-log.mjs FILE LOG RUNS: store the messages of LOG with LangGraph.js's
// SqliteSaver, as an agent does it that keeps its messages in its state: one
// checkpoint for each message, each with all messages of its session so far.
// Prints the seconds that this took, those of CPU time, the bytes of the file, and
// the setting of synchronous (1 does not sync each commit); then the median and the
// 99th percentile, in milliseconds, of RUNS puts of one more message, with the mean
// of their CPU times, and the same for loads of a session.  All this is one process,
// which has started before.
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, log, runs] = process.argv.slice(2);
const saver = SqliteSaver.fromConnString(file);
const threads = new Map();

// CPU time so far, in milliseconds.
function cpu() {
	const used = process.cpuUsage();
	return (used.user + used.system) / 1000;
}

async function put(id, message) {
	if (!threads.has(id))
		threads.set(id, { messages: [], config: { configurable:
		    { thread_id: id, checkpoint_ns: "" } } });
	const thread = threads.get(id), n = thread.messages.push(message);
	thread.config = await saver.put(thread.config, { ...emptyCheckpoint(),
	    id: uuid6(n), channel_values: { messages: thread.messages } },
	    { source: "loop", step: n, parents: {} }, {});
}

async function times(call) {
	const ms = [], before = cpu();
	for (let i = 0; i < runs; i++) {
		const ids = [...threads.keys()];
		const start = performance.now();
		await call(ids[i * 7919 % ids.length], i);
		ms.push(performance.now() - start);
	}
	const used = (cpu() - before) / runs;
	ms.sort((a, b) => a - b);
	return `${ms[ms.length >> 1].toFixed(1)} / ` +
	    `${ms[Math.floor(ms.length * 0.99)].toFixed(1)}\t${used.toFixed(2)}`;
}

const begin = performance.now(), before = cpu();
for await (const line of createInterface({ input: createReadStream(log) })) {
	const message = JSON.parse(line);
	await put(message.session, message);
}
const seconds = [performance.now() - begin, cpu() - before].map((x) => x / 1000);
saver.db.pragma("wal_checkpoint(TRUNCATE)");
console.log(`${seconds.join("\t")}\t${statSync(file).size}\t` +
    saver.db.pragma("synchronous", { simple: true }));
console.log(await times((id, i) => put(id, { role: "user",
    content: `one more message, number ${i}` })));
console.log(await times((id) => saver.getTuple({ configurable:
    { thread_id: id, checkpoint_ns: "" } })));
