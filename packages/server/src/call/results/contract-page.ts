import { CONTRACT_VERSION } from '@mortise/plugin/contract';

/** The resource that tells clients how to read results. */
export const CONTRACT_URI = 'mortise://contract';

/** The same for programs: a JSON Schema. */
export const CONTRACT_SCHEMA_URI = 'mortise://contract/schema';

/** The text of `mortise://contract`; short, because models read it. */
export const CONTRACT_PAGE = `# Results of this server (contract ${CONTRACT_VERSION})

Every tool answers with text and, mostly, structuredContent. Each is complete on its own.

${CONTRACT_SCHEMA_URI} has it as a JSON Schema.

Two arguments are accepted by every tool, though its inputSchema does not list them:

- \`machineReadable: true\`: the text is one JSON document instead.
  - success: {"success": true, "command"?, "output", "exitCode": 0, "metadata"?}
    \`output\` is what the command printed, else the text of the result; metadata.summary is one line that says what was done;
    metadata.processExitCode is the code of the process where it is not 0.
  - error: {"success": false, "errors": [...], "exitCode", "metadata"?}; file, line, column and rootCauseKind of an error are in
    its data.additionalData.
  All metadata is text; metadata.fullOutput is the URI of the full output.
- \`unsafeOutput: true\`: no redaction in this result, where the operator allows it (Redaction.AllowUnsafeOutput).

Errors: isError is true, and structuredContent is {"success": false, "errors": [...], "exitCode", "codes"?, "metadata"?,
"lockInfo"?, "fullOutput"?}. Branch on errors[0].code. Each error has code, message, category, rawOutput, and where known hint,
suggestedFixes, documentationUrl, file, line, column, recommendedAction (the next step, complete) and data. \`codes\` has the
help that several errors share, by code.

\`fullOutput\` of structuredContent: {"uri", "chars"} is where to read what a result omits, in pages, for an hour.
`;
