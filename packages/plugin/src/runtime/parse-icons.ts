import type { Icon } from '../icon.js';
import { isJsonObject, type JsonObject } from '../json.js';
import { memberFault, members, must, text, unexpectedMember } from './member-checks.js';
import { toJsonValue } from './to-json-value.js';

const MAX_ICONS = 20;
const SOURCE = /^(?:https:\/\/|data:image\/)\S+$/i;
const SIZE = /^(?:\d{1,5}x\d{1,5}|any)$/;

const ICON = members({
  src: must('an https: or data:image/ URL', (value) => typeof value === 'string' && SOURCE.test(value)),
  'mimeType?': text,
  'sizes?': must(
    'a list of sizes such as 48x48, or any',
    (value) => Array.isArray(value) && value.every((size) => typeof size === 'string' && SIZE.test(size)),
  ),
  'theme?': must('light or dark', (value) => value === 'light' || value === 'dark'),
});

/** The icons of a definition, or a fault such as `icons[0].src is not …` (docs/spec/plugin-api.md#icons). */
export function parseIcons(value: unknown): { icons: Icon[] } | { fault: string } {
  const icons = Array.isArray(value) ? toJsonValue(value) : undefined;
  if (!Array.isArray(icons)) return { fault: 'icons is not a list' };
  if (icons.length > MAX_ICONS) return { fault: `icons has more than ${MAX_ICONS} entries` };
  for (const [index, icon] of icons.entries()) {
    const fault = iconFault(icon);
    if (fault !== undefined) return { fault: `icons[${index}]${fault}` };
  }
  return { icons: icons as unknown as Icon[] };
}

/** Drops the icons of a mounted server that are invalid. */
export function usableIcons(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((icon) => iconFault(icon) === undefined).slice(0, MAX_ICONS) : [];
}

function iconFault(icon: unknown): string | undefined {
  if (!isJsonObject(icon)) return ' is not an object';
  const fault = memberFault(icon, ICON);
  if (fault !== undefined) return `.${fault}`;
  const unexpected = unexpectedMember(icon, ICON);
  return unexpected === undefined ? undefined : `.${unexpected} is not a member of an icon`;
}
