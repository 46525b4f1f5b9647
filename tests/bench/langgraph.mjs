// SPDX-License-Identifier: MIT
// langgraph.mjs FILE TURNS: a checkpoint a turn with LangGraph.js's
// SqliteSaver, the messages in the state as its own examples have it.
// Prints at some turns: turn, milliseconds a put, bytes of the file.
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { statSync } from "node:fs";

const [file, turns] = [process.argv[2], Number(process.argv[3])];
const saver = SqliteSaver.fromConnString(file);
const messages = [];
let config = { configurable: { thread_id: "t", checkpoint_ns: "" } };
let spent = 0;
for (let i = 1; i <= turns; i++) {
	messages.push({ role: i % 2 ? "user" : "assistant",
	    content: `message number ${i}, ` + "x".repeat(1000) });
	const checkpoint = { ...emptyCheckpoint(), id: uuid6(i),
	    channel_values: { messages: [...messages], iteration: i } };
	const start = performance.now();
	config = await saver.put(config, checkpoint,
	    { source: "loop", step: i, parents: {} }, {});
	spent += performance.now() - start;
	if (i === 10 || i % (turns / 4) === 0) {
		const n = i === 10 ? 10 : turns / 4;
		let bytes = statSync(file).size;
		try { bytes += statSync(file + "-wal").size; } catch { }
		console.log(i, (spent / n).toFixed(2), bytes);
		spent = 0;
	}
}
