import { applyEdits, modify } from 'jsonc-parser';

const SECTION = { Directory: 'plugins' };

/** The configuration of a folder that has none. */
export const NEW_CONFIG = `${JSON.stringify({ Plugins: SECTION }, null, 2)}\n`;

/** Adds our section to another program's appsettings.json; everything else, including comments, is kept. */
export function addPluginsSection(text: string): string {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 1 };
  return applyEdits(text, modify(text, ['Plugins'], SECTION, { formattingOptions }));
}
