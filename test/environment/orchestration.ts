/** The smallest orchestration: it only starts and ends. */
export const orchestration = `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional: ["Done"]
    Done:
      type: "end-success"
`;
