import { charSet, endOfMatch, endOfRun, matchAt } from '../scanning/chars.js';
import type { SecretDetector } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

const LABEL = /BEGIN[ +_]{1,3}([A-Z\d +_]{0,60})-{4,5}/y;
const IS_SECRET = /PRIVATE[ +_]KEY|CERTIFICATE/;
const NEXT_MARKER = /-----(?:BEGIN|END)|---- (?:BEGIN|END)/g;
const END_LABEL = /-{4,5} ?END[ +_]{1,3}[A-Z\d +_]{0,60}-{0,5}/y;

const BASE64 = charSet('A-Za-z0-9+/=');
const LINE_BREAK = /(?:[ \t]{0,64}(?:\r?\n|\r|\\{1,64}[nr]|%0[ad])){1,4}[ \t]{0,64}|[ \t]{1,4}(?=[A-Za-z\d+/]{40})/iy;
const HEADER = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): [^\r\n\\]{0,256}/y;
const BASE64_MIX = [/[A-Z]/, /[a-z]/, /[\d+/=]/];
const FULL_LINE = 40;
/** A limit that is longer than the longest BEGIN line. */
const MAX_LABEL_CHARS = 80;
const MAX_BODY_CHARS = 65_536;

/**
 * Private keys and certificates in PEM, from BEGIN to END; also on one line with `\n`. Without an END, they end with
 * the last line that is a PEM header or Base64.
 */
export const pem: SecretDetector = {
  name: 'PEM',
  triggers: ['-----BEGIN', '---- BEGIN'],
  read: (text, redact) => (at) => {
    const label = matchAt(LABEL, text, text.string.indexOf('B', at));
    if (!label || !IS_SECRET.test(label[1]!)) return 0;
    const body = label.index + label[0].length;
    NEXT_MARKER.lastIndex = body;
    const marker = NEXT_MARKER.exec(text.string);
    const end = marker ? endOfMatch(END_LABEL, text, marker.index) : -1;
    const until = end >= 0 && end - body <= MAX_BODY_CHARS ? end : bodyEnd(text, body);
    if (until > body) redact(at, until);
    return until;
  },
};

/** Private keys in PEM, without the certificates that {@link pem} also finds. */
export const pemPrivateKeys: SecretDetector = {
  ...pem,
  read: (text, redact) =>
    pem.read(text, (start, end) => {
      if (text.string.slice(start, start + MAX_LABEL_CHARS).includes('PRIVATE')) redact(start, end);
    }),
};

function bodyEnd(text: Text, from: number): number {
  let end = from;
  for (let isFirst = true; ; isFirst = false) {
    const line = Math.max(end, endOfMatch(LINE_BREAK, text, end));
    const header = endOfMatch(HEADER, text, line);
    const next = header >= 0 ? header : endOfRun(text, line, BASE64);
    if (header < 0 && !isBody(text.string.slice(line, next), isFirst && line > from)) return end;
    end = next;
  }
}

/** True for a line of full width, for the first line, and for a line that can only be Base64. */
function isBody(line: string, isFirst: boolean): boolean {
  return line.length >= FULL_LINE || (line !== '' && (isFirst || BASE64_MIX.every((some) => some.test(line))));
}
