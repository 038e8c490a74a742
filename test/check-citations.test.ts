import { describe, expect, it } from 'vitest';
import { checkRepository } from './support/check-repository.js';

const SPEC = '# The contract\n\n<a id="locks"></a>\n## Locks of a call\n\n- <a id="lock-key"></a>The key.\n';
const check = (files: Record<string, string>) =>
  checkRepository('check-citations.mjs', { 'docs/spec/contract.md': SPEC, ...files });

describe('check-citations', () => {
  it('accepts citations of an id and of a heading, and links', () => {
    const files = {
      'src/a.ts': '/** A key (docs/spec/contract.md#lock-key, docs/spec/contract.md#locks-of-a-call). */\n',
      'docs/page.md': '[locks](spec/contract.md#locks), [the page](spec/contract.md), [here](#a-page)\n\n# A `page`\n',
      'docs/contract.md': '# A page of the same name, linked from [one](../docs/contract.md)\n',
    };
    expect(check(files)).toEqual([]);
  });

  it.each([
    ['an anchor that does not exist', 'docs/spec/contract.md#lock', 'leads to no anchor'],
    ['a page that does not exist', 'docs/spec/contracts.md#locks', 'leads to a page that does not exist'],
    ['a citation without an anchor', 'docs/spec/contract.md', 'has no anchor'],
    ['a section by its number', 'contract.md §5', 'is not the form'],
    ['a section of another page', 'docs/page.md §5', 'is not the form'],
    ['a row by its number', 'dotnet-tools.md #24', 'is not the form'],
    ['a folder that is not there', '../spec/contract.md#locks', 'is not the form'],
    ['a former name of the published contract', 'As in the seed’s examples', 'is not the form'],
  ])('refuses %s', (_title, citation, reason) => {
    const problems = check({ 'src/a.ts': `const a = 1;\n/** A lock (${citation}). */\n` });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^src\/a\.ts:2: /);
    expect(problems[0]).toContain(reason);
  });

  it('refuses links that lead nowhere, but reads no code in Markdown', () => {
    const text = '[a](spec/contract.md#lock), [b](missing.md), [c](#nothing), `[d](missing.md)`\n';
    expect(check({ 'docs/page.md': text })).toEqual([
      'docs/page.md:1: spec/contract.md#lock leads to no anchor',
      'docs/page.md:1: missing.md leads to a page that does not exist',
      'docs/page.md:1: #nothing leads to no anchor',
    ]);
  });

  it('reads no fenced block, but the lines after it', () => {
    const text = '```text\n[a](missing.md) of docs/page.md §5\n```\n[b](missing.md)\n';
    expect(check({ 'docs/page.md': text })).toEqual(['docs/page.md:4: missing.md leads to a page that does not exist']);
  });

  it('refuses citations in the code of Markdown that lead nowhere', () => {
    const text = '`docs/spec/contract.md#locks`, `docs/spec/contract.md#lock`, `docs/spec/contract.md`\n';
    expect(check({ 'ARCHITECTURE.md': text })).toEqual([
      'ARCHITECTURE.md:1: docs/spec/contract.md#lock leads to no anchor',
    ]);
  });

  it('refuses an anchor that is there twice', () => {
    const twice = { 'docs/spec/errors.md': '<a id="codes"></a>\n\n<a id="codes"></a>\n' };
    expect(check(twice)).toEqual(['docs/spec/errors.md: the anchor codes is there twice']);
  });
});
