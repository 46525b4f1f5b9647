// SPDX-License-Identifier: MIT
// langgraph.mjs FILE TURN...: measure what a checkpoint costs at these turns
// with LangGraph.js's SqliteSaver, when the state contains the messages, as in
// its own examples.  Prints for each: turn, median milliseconds of a put, bytes
// that a put adds to the file, and the setting of synchronous (1 does not sync
// each commit).
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { statSync } from "node:fs";

const PUTS = 9;
const [file, ...turns] = process.argv.slice(2);
const saver = SqliteSaver.fromConnString(file);
const messages = [];
let config = { configurable: { thread_id: "t", checkpoint_ns: "" } };

function put(i) {
	const checkpoint = { ...emptyCheckpoint(), id: uuid6(i),
	    channel_values: { messages: [...messages], iteration: i } };
	return saver.put(config, checkpoint,
	    { source: "loop", step: i, parents: {} }, {});
}

function bytes() {
	saver.db.pragma("wal_checkpoint(TRUNCATE)");
	return statSync(file).size;
}

for (const turn of turns.map(Number)) {
	while (messages.length < turn - PUTS)
		messages.push({ role: messages.length % 2 ? "user" :
		    "assistant", content: `message number ${messages.length}, ` +
		    "x".repeat(1000) });
	if (turn === Number(turns[0]))
		config = await put(0);	// creates the tables
	const before = bytes(), ms = [];
	for (let i = 0; i < PUTS; i++) {
		messages.push({ role: "user", content: "x".repeat(1000) });
		const start = performance.now();
		config = await put(messages.length);
		ms.push(performance.now() - start);
	}
	ms.sort((a, b) => a - b);
	console.log(turn, ms[PUTS >> 1].toFixed(2),
	    Math.round((bytes() - before) / PUTS),
	    saver.db.pragma("synchronous", { simple: true }));
}
