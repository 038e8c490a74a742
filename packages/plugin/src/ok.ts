import type { ContentBlock } from './content.js';
import type { Mutable } from './infer-schema.js';
import { SUCCESS, type SuccessDetails } from './result-details.js';
import type { ToolSuccess } from './tool.js';

/** The details of a successful result besides its content. */
export interface OkExtras extends SuccessDetails {
  metadata?: Record<string, unknown>;
  /** `_meta` of the result, for hosts. */
  _meta?: Record<string, unknown>;
}

/** A successful result. `structured` becomes its structuredContent. */
export function ok<const Data extends object | undefined = undefined>(
  content: string | ContentBlock[],
  structured?: Data,
  extras: OkExtras = {},
): ToolSuccess<Mutable<Data>> {
  const { metadata, _meta, command, exitCode, output, summary, showsAll } = extras;
  const details: SuccessDetails = {
    ...(command !== undefined && { command }),
    ...(exitCode !== undefined && { exitCode }),
    ...(output !== undefined && { output }),
    ...(summary !== undefined && { summary }),
    ...(showsAll !== undefined && { showsAll }),
  };
  const result = {
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(metadata !== undefined && { metadata }),
    ...(_meta !== undefined && { _meta }),
    ...(Object.keys(details).length > 0 && { [SUCCESS]: details }),
  };
  return result as unknown as ToolSuccess<Mutable<Data>>;
}
