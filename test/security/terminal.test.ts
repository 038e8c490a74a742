import { describe, expect, it } from 'vitest';
import { createStyle } from '../../packages/server/src/cli/shared/style.js';
import { visibleText } from '../../packages/server/src/util/visible-text.js';
import { COMMANDS, expectNoneObeyed, expectSeen, OBEYED, TEXTS } from './terminal-texts.js';

describe('a text for the terminal', () => {
  it.each(TEXTS.map((text) => [JSON.stringify(text), text]))('%s is seen, not obeyed', (_, text) => {
    const visible = visibleText(`a${text}b`);
    expect(visible).not.toMatch(OBEYED);
    expect(visible).toContain('\\u');
    // In a string of JSON it stays what it was.
    expect(JSON.parse(visibleText(JSON.stringify(text)))).toBe(text);
    expectNoneObeyed(visible);
  });

  it('keeps what people write, emoji and line ends among it', () => {
    const text = 'grün\t日本語 👩‍👩‍👧 👍🏽‍ x ✓ é\nשלום';
    expect(visibleText(text.replace('🏽‍ ', '🏽 '))).toBe(text.replace('🏽‍ ', '🏽 '));
    expect(visibleText('a\r\nb')).toBe('a\nb');
  });

  it('has the colours of Mortise and no others', () => {
    const style = createStyle({ hasUnicode: true, hasColour: true });
    const rendered = style.render(`${style.statusSymbol('ok')} ${style.bold('\u001b[31mbad')} ${style.dim('x')}`);
    expect(rendered).toBe('\u001b[32m✓\u001b[39m \u001b[1m\\u001b[31mbad\u001b[22m \u001b[2mx\u001b[22m');
  });
});

describe('the commands', () => {
  it.each(['list', 'call of what throws', 'an unknown command'])('%s', (name) => expectSeen(COMMANDS[name]!));
});
