/** What a call answered, as far as it was read from the output of commands. */
export interface RecordedAnswer {
  readonly call: string;
  readonly isError: boolean;
  readonly data: unknown;
}

/** What these answer changes with each package that someone publishes: only whether they fail is compared. */
export const ASKS_A_FEED = / Search$/;

/** Members that are words of ours, members that differ in each run, and what is counted on the disk, of which recordings have a part. */
const LEFT_OUT =
  /^(?:omitted\w+|fileCount|hint|explanation|suggestedFixes|documentationUrl|description|codes|summary|note|notes|reason|fullOutput|callId|requestId|sessionId|providedValue|caches|cache|processes|operations|uri|links|pid|ownerPid|chars|output|rawOutput|stdout|stderr)$|(?:Ms|Seconds|At|Time|Bytes|Chars|Pid|Hash)$/;

/** The server cuts long texts and long lists, and where depends on the length of the paths in them. */
const MAX_TEXT_CHARS = 200;
const MAX_ITEMS = 20;

/** The names of the CLI's folders for single C# files, thumbprints of certificates, and hashes of previews. */
const HASHES = /\b(?:[0-9a-f]{64}|[0-9A-F]{40})\b|(?<=\bhash: )[0-9a-f]{16}\b|^[0-9a-f]{16}$/g;
const withoutHashes = (text: string) => text.replaceAll(HASHES, '‹hash›');

/** How much of the trace of an exception belongs to an error depends on what the system hands over at a time. */
const withoutTrace = (text: string) => text.replace(/\n *--->.*/s, '');

/** Test runners run tests in another order each time: a message lists the failed ones in that order. */
const withoutOrder = (text: string) => text.replace(/(?<=tests? failed): .*/s, '');
/** Of many failed tests the first are told, and which these are depends on that order too. */
const isFirstOfMany = (name: string, list: unknown, { failed }: { failed?: unknown }) =>
  name === 'firstFailures' && Number(failed) > (list as unknown[]).length;

const beginningOf = (text: string) => (text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text);

/** The same for each run: without what {@link LEFT_OUT} says, and with sorted lists, whose order can depend on what MSBuild builds first. */
export function projectionOf(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return beginningOf(withoutOrder(withoutTrace(withoutHashes(hide(value)))));
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => projectionOf(item, hide));
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      LEFT_OUT.test(name) || member === undefined || isFirstOfMany(name, member, value)
        ? []
        : [[hide(name), projectionOf(member, hide)]],
    ),
  );
}
