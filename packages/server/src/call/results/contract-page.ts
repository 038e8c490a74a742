import { CONTRACT_VERSION } from '@mortise/plugin/contract';

/** The resource that explains results to clients. */
export const CONTRACT_URI = 'mortise://contract';

/** The resource with the JSON Schema of results. */
export const CONTRACT_SCHEMA_URI = 'mortise://contract/schema';

/** The text of `mortise://contract`. It is short, because models read it. */
export const CONTRACT_PAGE = `# Results of this server (contract ${CONTRACT_VERSION})

Every tool answers with text, and most tools also with structuredContent. Each of the two is complete on its own.

The JSON Schema of results is ${CONTRACT_SCHEMA_URI}.

Every tool accepts two arguments that its inputSchema does not list:

- \`machineReadable: true\`: the text is one JSON document.
  - success: {"success": true, "command"?, "output", "exitCode": 0, "metadata"?}
    \`output\` is the output of the command, or the text of the result if there was no command. metadata.summary says in one
    line what was done. metadata.processExitCode is the exit code of the process if it is not 0.
  - error: {"success": false, "errors": [...], "exitCode", "metadata"?}; data.additionalData of an error has its file, line,
    column and rootCauseKind.
  All metadata is text; metadata.fullOutput is the URI of the full output.
- \`unsafeOutput: true\`: this result is not redacted, if the operator allows that (Redaction.AllowUnsafeOutput).

Errors: isError is true, and structuredContent is {"success": false, "errors": [...], "exitCode", "codes"?, "metadata"?,
"lockInfo"?, "fullOutput"?}. Branch on errors[0].code. Each error has code, message, category and rawOutput, and if known
hint, suggestedFixes, documentationUrl, file, line, column, recommendedAction (the complete next step) and data. \`codes\` has
the help that several errors with the same code share.

\`fullOutput\` of structuredContent: {"uri", "chars"}. Read the URI for the text that a result omits, in pages, for one hour.
`;
