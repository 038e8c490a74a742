import type { ContentBlock } from './content.js';
import { SUCCESS, type SuccessFacts } from './result-facts.js';
import type { ToolCallResult } from './tool.js';

/** What a successful result may carry beyond its content. */
export interface OkExtras {
  metadata?: Record<string, unknown>;
  /** The command that was run, for orchestrators. */
  command?: string;
  /** Default 0. */
  exitCode?: number;
  /**
   * The whole output of the command. Text over `Output.MaxTextChars` is cut then; an output that the text does not show
   * stays readable as `mortise://runs/{id}`, which the result links.
   */
  output?: string;
}

/** A successful result. `structured` becomes structuredContent. */
export function ok(content: string | ContentBlock[], structured?: object, extras: OkExtras = {}): ToolCallResult {
  const { metadata, command, exitCode, output } = extras;
  const facts: SuccessFacts = {
    ...(command !== undefined && { command }),
    ...(exitCode !== undefined && { exitCode }),
    ...(output !== undefined && { output }),
  };
  return {
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(metadata !== undefined && { metadata }),
    ...(Object.keys(facts).length > 0 && { [SUCCESS]: facts }),
  };
}
