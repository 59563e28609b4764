//! The tool as a process, and the side of the eval in the protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A tool that has defined a module.
pub struct Tool {
    process: Child,
    messages: Option<ChildStdin>,
    responses: BufReader<ChildStdout>,
    module: &'static str,
    next_id: u64,
}

impl Tool {
    pub fn start(module: &'static str) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_backsweep-gradbench"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        let messages = process.stdin.take();
        let responses = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut tool = Self { process, messages, responses, module, next_id: 100 };
        let start = tool.send(&json!({"id": 0, "kind": "start", "eval": module}));
        assert_eq!(start, json!({"id": 0, "tool": "backsweep"}));
        let define = tool.send(&json!({"id": 1, "kind": "define", "module": module}));
        assert_eq!(define, json!({"id": 1, "success": true}));
        tool
    }

    pub fn send(&mut self, message: &Value) -> Value {
        self.send_line(&message.to_string())
    }

    pub fn send_line(&mut self, line: &str) -> Value {
        let messages = self.messages.as_mut().expect("open until the end");
        writeln!(messages, "{line}").expect("the tool reads");
        let mut response = String::new();
        self.responses.read_line(&mut response).expect("the tool answers");
        serde_json::from_str(&response).expect("an answer is JSON")
    }

    /// What a function of the module makes of an input.
    pub fn evaluate(&mut self, function: &str, input: &Value) -> Value {
        let module = self.module;
        let mut response = self.response(module, function, input);
        assert_eq!(response["success"], true, "{response}");
        response["output"].take()
    }

    /// How long each run of a function took, in nanoseconds.
    pub fn timings(&mut self, function: &str, input: &Value) -> Vec<u64> {
        let module = self.module;
        let response = self.response(module, function, input);
        let timings = response["timings"].as_array().expect("a list");
        assert!(timings.iter().all(|timing| timing["name"] == "evaluate"));
        timings.iter().map(|timing| timing["nanoseconds"].as_u64().expect("an integer")).collect()
    }

    /// The error of a function that fails.
    pub fn failure(&mut self, module: &str, function: &str, input: &Value) -> String {
        let response = self.response(module, function, input);
        assert_eq!(response["success"], false, "{response}");
        response["error"].as_str().expect("a text").to_owned()
    }

    fn response(&mut self, module: &str, function: &str, input: &Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        let response = self.send(&json!({
            "id": id, "kind": "evaluate", "module": module, "function": function, "input": input,
        }));
        assert_eq!(response["id"], id);
        response
    }
}

impl Drop for Tool {
    /// The tool ends when its input does.
    fn drop(&mut self) {
        self.messages = None;
        let ended = self.process.wait();
        if !std::thread::panicking() {
            assert!(ended.expect("the tool ends").success());
        }
    }
}
