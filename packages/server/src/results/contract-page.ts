/** The resource that tells clients how to read results. */
export const CONTRACT_URI = 'mortise://contract';

/** The text of `mortise://contract`; short, because models read it. */
export const CONTRACT_PAGE = `# Results of this server

Every tool answers with text and, mostly, structuredContent. Each is complete on its own.

Two arguments are accepted by every tool, though its inputSchema does not list them:

- \`machineReadable: true\`: the text is one JSON document instead.
  - success: {"success": true, "command"?, "output", "exitCode": 0, "metadata"?, "fullOutput"?}
    \`output\` is what the command printed, else the text of the result; metadata.summary is one line that says what was done;
    metadata.processExitCode is the code of the process where it is not 0.
  - error: {"success": false, "errors": [...], "exitCode", "codes"?, "metadata"?, "lockInfo"?, "fullOutput"?}
- \`unsafeOutput: true\`: no redaction in this result, where the operator allows it (Redaction.AllowUnsafeOutput).

Errors: isError is true, and structuredContent has the error document above. Branch on errors[0].code. Each error has code,
message, category, rawOutput, and where known hint, suggestedFixes, documentationUrl, file, line, column, recommendedAction
(the next step, complete) and data. \`codes\` has the help that several errors share, by code.

\`fullOutput\`: {"uri", "chars"} is where to read what a result omits, in pages, for an hour.
`;
