import { PLACEHOLDER } from '@mortise/redact/placeholder';

/** What web programs print about themselves: ASP.NET Core, and the dashboard of Aspire with its token. */
const ANNOUNCEMENTS = [
  /\bNow listening on: (https?:\/\/[^\s"'<>]+)/,
  /\b(?:Login to the dashboard at|Dashboard:)\s+(https?:\/\/[^\s"'<>]+)/,
  /(https?:\/\/[^\s"'<>]+\/login\?t=[^\s"'<>]+)/,
];

/** The address that a line of a program's output announces. */
export function announcedUrl(line: string): string | undefined {
  for (const announcement of ANNOUNCEMENTS) {
    const url = announcement.exec(line)?.[1]?.replace(/[.,;)]+$/, '');
    if (url !== undefined) return url;
  }
  return undefined;
}

/** Removes the login token of an Aspire dashboard, which gives access to it. */
export function withoutLoginToken(line: string): string {
  return line.replace(/(\/login\?t=)[^\s"'<>&]+/g, `$1${PLACEHOLDER}`);
}
