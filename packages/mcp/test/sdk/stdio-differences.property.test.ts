import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OPENING, type Sample, sample } from './generated-messages.js';
import { OURS, SDK, verdictOf, withoutUnknownMembers } from './judged-servers.js';
import { type Comparison, DIFFERENCES } from './stdio-differences.js';

/** `MCP_RUNS=20000 npx vitest run packages/mcp/test/sdk` looks longer. */
const numRuns = Number(process.env.MCP_RUNS ?? 250);

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
