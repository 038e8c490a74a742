import { type Json, writeJson } from '../json/json.js';
import type { Tool } from '../state/types.js';
import { CopyButton } from './parts.js';

/** Shows the schemas of a tool. @param problems messages about places in the schemas that some hosts reject */
export function SchemaView({ tool, problems }: { tool: Tool; problems: readonly string[] }) {
  return (
    <div>
      {problems.length > 0 && (
        <ul class="lint" aria-label="What some hosts reject">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <h3>Arguments</h3>
      <pre class="text" tabIndex={0} aria-label="Schema of the arguments">
        {writeJson(tool.inputSchema, 2)}
      </pre>
      {tool.outputSchema && (
        <>
          <h3>Result</h3>
          <pre class="text" tabIndex={0} aria-label="Schema of the result">
            {writeJson(tool.outputSchema, 2)}
          </pre>
        </>
      )}
      <div class="actions">
        <CopyButton label="Copy the definition" text={() => writeJson(tool as unknown as Json, 2)} />
      </div>
    </div>
  );
}
