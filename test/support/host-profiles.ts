import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** An MCP result, as far as hosts read it. */
export interface HostResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** How a host shows a result to its model. */
interface HostProfile {
  readonly title: string;
  /** What the model sees. */
  see(result: HostResult, outputSchema: object | undefined): string;
}

const texts = ({ content }: HostResult) => content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
const data = ({ structuredContent }: HostResult) =>
  structuredContent === undefined ? '' : JSON.stringify(structuredContent);

/** The hosts that are known to drop parts of a result, and those that drop none. */
export const HOST_PROFILES: readonly HostProfile[] = [
  {
    title: 'structured-only success, first-text error',
    see: (result) => (result.isError ? (texts(result)[0] ?? '') : data(result) || texts(result).join('\n')),
  },
  { title: 'text wins', see: (result) => texts(result).join('\n') || data(result) },
  { title: 'both', see: (result) => [...texts(result), data(result)].join('\n') },
  { title: 'text only', see: (result) => texts(result).join('\n') },
  {
    title: 'validates output schemas',
    see(result, outputSchema) {
      if (outputSchema !== undefined) {
        const validate = new Ajv2020({ strict: false }).compile(outputSchema);
        expect(validate(result.structuredContent), JSON.stringify(validate.errors)).toBe(true);
      }
      return data(result);
    },
  },
];

export interface HalvesLimit {
  /** Characters of all texts. */
  readonly text: number;
  /** Characters of structuredContent as JSON. */
  readonly structured: number;
}

/** Each fact is in what every host shows; both halves are within the budget; one text block, and it is first. */
export function expectInEveryHost(
  result: HostResult,
  expected: readonly (string | RegExp)[],
  { outputSchema, maxBytes }: { outputSchema: object | undefined; maxBytes?: HalvesLimit },
): void {
  expect(result.content.map(({ type }) => type === 'text')).toEqual(result.content.map((_, index) => index === 0));
  for (const { title, see } of HOST_PROFILES) {
    const seen = see(result, outputSchema);
    // JSON writes quotes and line ends in another way; facts have none.
    for (const fact of expected) {
      const isSeen = typeof fact === 'string' ? seen.includes(fact) : fact.test(seen);
      expect(isSeen, `${title}: ${String(fact)} in\n${seen.slice(0, 3000)}`).toBe(true);
    }
  }
  if (maxBytes === undefined) return;
  expect(texts(result).join('\n').length).toBeLessThanOrEqual(maxBytes.text);
  expect(data(result).length).toBeLessThanOrEqual(maxBytes.structured);
}
