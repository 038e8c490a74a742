import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpSample, httpSample } from './generated-http.js';
import { HTTP_DIFFERENCES, type HttpComparison } from './http-differences.js';
import { httpVerdictOf, type Listening, listenOurs, listenSdk } from './judged-http.js';
import { withoutUnknownMembers } from './judged-servers.js';

/** `MCP_RUNS=20000 npx vitest run packages/mcp/test/sdk` looks longer. */
const numRuns = Number(process.env.MCP_RUNS ?? 400);

let ours: Listening;
let sdk: Listening;

beforeAll(async () => {
  [ours, sdk] = await Promise.all([listenOurs(), listenSdk()]);
});
afterAll(() => {
  ours.close();
  sdk.close();
});

async function compare(sample: HttpSample): Promise<HttpComparison> {
  const [ourVerdict, sdkVerdict] = await Promise.all([
    httpVerdictOf(ours, sample),
    httpVerdictOf(sdk, { ...sample, body: withoutUnknownMembers(sample.body) }),
  ]);
  return { ...sample, ours: ourVerdict, sdk: sdkVerdict };
}

it("answers generated and changed requests of 2026-07-28 as the SDK's handler does, but for the intended differences", async () => {
  await fc.assert(
    fc.asyncProperty(httpSample, async (sample) => {
      const comparison = await compare(sample);
      const isIntended = HTTP_DIFFERENCES.some(({ covers }) => covers(comparison));
      if (!isIntended) expect(comparison).toEqual({ ...comparison, ours: comparison.sdk });
    }),
    { numRuns },
  );
}, 600_000);

it.each(HTTP_DIFFERENCES)('$reason', async ({ example, covers }) => {
  const { httpMethod, headers, body } = example;
  expect(await compare({ httpMethod, headers, body })).toEqual(example);
  expect(covers(example)).toBe(true);
});
