import { describe, expect, it } from 'vitest';
import { checkRepository } from './support/check-repository.js';

const LONG = 'x'.repeat(121);
const check = (files: Record<string, string>) => checkRepository('check-line-lengths.mjs', files);

describe('check-line-lengths', () => {
  it('passes lines of 120 characters, tables, blocks of code and long addresses', () => {
    const files = {
      'line.md': 'ß'.repeat(120),
      'table.md': `| ${LONG} |`,
      'code.md': `\`\`\`sh\n${LONG}\n\`\`\``,
      'code-in-a-list.md': `- an item\n  ~~~\n  ${LONG}\n  ~~~`,
      'code-that-shows-code.md': `\`\`\`\`\n\`\`\`\n${LONG}\n\`\`\`\`\n`,
      'address.md': `- The page is <https://example.com/${LONG}>.`,
      'source.ts': `// ${LONG}`,
    };
    expect(check(files)).toEqual([]);
  });

  it('refuses longer lines of text, each with its place', () => {
    const files = {
      'address.md': `${LONG} <https://example.com>`,
      'code.md': `\`\`\`\n${LONG}\n\`\`\`\n${LONG}`,
      'fence.md': `${LONG} \`\`\` x`,
      'item.md': `# Items\n\n- ${LONG}`,
    };
    expect(check(files).map((problem) => problem.replace(/;.*/, ''))).toEqual([
      'address.md:1: the line has 124 characters',
      'code.md:4: the line has 121 characters',
      'fence.md:1: the line has 127 characters',
      'item.md:3: the line has 123 characters',
    ]);
  });
});
