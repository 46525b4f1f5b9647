// SPDX-License-Identifier: MIT
// langgraph.mjs make FILE: with LangGraph.js's SqliteSaver, write the file that
// a graph with messages, a subgraph's namespace and an interrupt leaves.
// langgraph.mjs read FILE: print all that SqliteSaver finds in it as JSON
// lines.
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { Annotation, MessagesAnnotation, StateGraph, interrupt, START }
    from "@langchain/langgraph";

const [verb, file] = process.argv.slice(2);
const saver = SqliteSaver.fromConnString(file);

async function make() {
	const State = Annotation.Root({ ...MessagesAnnotation.spec,
	    todos: Annotation });
	const inner = new StateGraph(State)
	    .addNode("think", () => ({ todos: [{ text: "想一想", done: false }] }))
	    .addEdge(START, "think").compile();
	const graph = new StateGraph(State)
	    .addNode("plan", inner)
	    .addNode("answer", () => ({
		messages: [{ role: "assistant", content: "早安 \u0000 \"ok\"" }] }))
	    .addNode("ask", () => ({ todos: interrupt("may I?") }))
	    .addEdge(START, "plan").addEdge("plan", "answer")
	    .addEdge("answer", "ask").compile({ checkpointer: saver });

	for (const thread_id of ["t1", "t2"])
		for (const content of ["hello", "again"])
			await graph.invoke({ messages: [{ role: "user", content }] },
			    { configurable: { thread_id } });
}

async function read() {
	for await (const tuple of saver.list({ configurable: {} }))
		console.log(JSON.stringify(tuple));
	for (const thread_id of new Set(saver.db.prepare(
	    "SELECT DISTINCT thread_id FROM checkpoints ORDER BY 1").all()
	    .map((row) => row.thread_id)))
		console.log(JSON.stringify(await saver.getTuple(
		    { configurable: { thread_id } })));
}

await (verb === "make" ? make() : read());
