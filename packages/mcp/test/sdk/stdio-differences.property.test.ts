import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Comparison, DIFFERENCES } from './differences.js';
import { OPENING, type Sample, sample } from './generated-messages.js';
import { OURS, SDK, verdictOf } from './judged-servers.js';

/** `MCP_RUNS=20000 npx vitest run packages/mcp/test/sdk` looks longer. */
const numRuns = Number(process.env.MCP_RUNS ?? 250);

const OF_REQUESTS = ['jsonrpc', 'id', 'method', 'params'];
const OF_RESPONSES = ['jsonrpc', 'id', 'result', 'error'];

/**
 * A line without members that JSON-RPC does not know. Our server ignores them, as JSON-RPC's successors and the
 * specification of MCP do; the SDK drops the whole message, so that it gets the line without them.
 */
function withoutUnknownMembers(line: string): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return line;
  const members = 'method' in value ? OF_REQUESTS : OF_RESPONSES;
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([name]) => members.includes(name))));
}

async function compare({ era, line }: Sample): Promise<Comparison> {
  const [ours, sdk] = await Promise.all([
    verdictOf(OURS, OPENING[era], line),
    verdictOf(SDK, OPENING[era], withoutUnknownMembers(line)),
  ]);
  return { era, line, ours, sdk };
}

it("answers generated and changed messages as the SDK's server does, but for the intended differences", async () => {
  await fc.assert(
    fc.asyncProperty(sample, async (generated) => {
      const comparison = await compare(generated);
      const isIntended = DIFFERENCES.some(({ covers }) => covers(comparison));
      if (!isIntended) expect(comparison).toEqual({ ...comparison, ours: comparison.sdk });
    }),
    { numRuns },
  );
}, 600_000);

it.each(DIFFERENCES)('$reason', async ({ example, covers }) => {
  expect(await compare(example)).toEqual(example);
  expect(covers(example)).toBe(true);
});
