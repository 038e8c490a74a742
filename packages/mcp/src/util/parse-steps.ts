/** Items and members of so many characters are parsed together, if they are not longer each; and of a long string as much. */
const RUN_CHARS = 32 * 1024;
/** The parser stops after so many characters in which it has parsed nothing. */
const SCAN_CHARS = 256 * 1024;

/** Deeper texts are refused, because each level takes memory. */
const MAX_LEVELS = 10_000;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const LOWER_U = 0x75;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

type Container = unknown[] | Record<string, unknown>;

/** A part of a text that was parsed to an object or an array. */
export interface JsonSource {
  readonly text: string;
  /** About how many values it has, at all levels. */
  readonly values: number;
}

/** An object or an array whose end has not come yet; used again for the next one of its level. */
class Level {
  isList = false;
  start = 0;
  valuesBefore = 0;
  /** Undefined while all of it is a run. */
  value: Container | undefined;
  /** Where the items begin that are not parsed yet. */
  runStart = 0;
  /** Where the current item begins. */
  itemStart = 0;
  /** The end of the current item, if that was parsed by itself. */
  itemEnd = -1;

  begin(isList: boolean, start: number, valuesBefore: number): void {
    this.isList = isList;
    this.start = start;
    this.valuesBefore = valuesBefore;
    this.value = undefined;
    this.runStart = start + 1;
    this.itemStart = start + 1;
    this.itemEnd = -1;
  }
}

/**
 * Parses a text as `JSON.parse` does, in small steps. It looks for commas and brackets only: items and members that are
 * together about as long as a run are parsed by `JSON.parse`, which knows all else of JSON, and are put into the object or the
 * array that they belong to. Only what is longer than a run is opened; a string of that length is parsed piece by piece.
 *
 * @param onContainer hears of each object and array that is longer than a run
 * @param runChars for tests
 * @throws SyntaxError
 * @throws RangeError for more than {@link MAX_LEVELS} levels
 */
export function* parseSteps(
  text: string,
  onContainer: (value: object, source: JsonSource) => void = () => {},
  runChars = RUN_CHARS,
): Generator<void, unknown> {
  const levels: Level[] = [];
  let depth = 0;
  let level: Level | undefined;
  let root: Container | undefined;
  let rootEnd = 0;
  let values = 0;
  let pauseAt = SCAN_CHARS;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at, at + runChars);
      if (end >= 0) at = end;
      else {
        const { value, end } = yield* parseLongString(text, at, Math.max(runChars, 1));
        if (level && (level.isList || !isBlank(text, level.itemStart, at)))
          appendValue(text, level, { start: at }, value, end + 1);
        at = end;
        yield;
      }
    } else if (char === COMMA) {
      values += 1;
      if (level === undefined) throw invalid();
      if (level.itemEnd >= 0) skipRest(text, level, at);
      else if (at - level.runStart >= runChars) {
        appendRun(text, level, at);
        yield;
      }
      level.itemStart = at + 1;
    } else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      values += 1;
      if (root !== undefined || (depth === 0 && !isBlank(text, 0, at))) throw invalid();
      if (depth === MAX_LEVELS) throw new RangeError(`More than ${MAX_LEVELS} levels`);
      level = levels[depth] ??= new Level();
      level.begin(char === OPEN_LIST, at, values);
      depth += 1;
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) {
      if (level === undefined || level.isList !== (char === CLOSE_LIST)) throw invalid();
      const closed = level;
      depth -= 1;
      level = depth === 0 ? undefined : levels[depth - 1];
      const isInRun = level !== undefined && closed.value === undefined && at - closed.start < runChars;
      if (!isInRun) {
        const value = finish(text, closed, at);
        onContainer(value, { text: text.slice(closed.start, at + 1), values: values - closed.valuesBefore + 1 });
        if (level) appendValue(text, level, closed, value, at + 1);
        else root = value;
        rootEnd = at + 1;
        yield;
      }
    }
    if (at >= pauseAt) {
      pauseAt = at + SCAN_CHARS;
      yield;
    }
  }
  if (depth > 0) throw invalid();
  // A scalar, or what is not JSON.
  if (root === undefined) return JSON.parse(text);
  if (!isBlank(text, rootEnd, text.length)) throw invalid();
  return root;
}

/** The place of the quote that ends a string; -1 if it is beyond `limit`. */
function endOfString(text: string, start: number, limit: number): number {
  const end = Math.min(limit + 1, text.length);
  for (let at = start + 1; at < end; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at += 1;
  }
  return -1;
}

/** Stops after each piece. No piece ends within an escape. */
function* parseLongString(
  text: string,
  start: number,
  pieceChars: number,
): Generator<void, { value: string; end: number }> {
  const pieces: string[] = [];
  for (let pieceStart = start + 1; ; ) {
    const end = endOfPiece(text, pieceStart, pieceStart + pieceChars);
    if (end >= text.length) throw invalid();
    pieces.push(JSON.parse(`"${text.slice(pieceStart, end)}"`) as string);
    if (text.charCodeAt(end) === QUOTE) return { value: pieces.join(''), end };
    pieceStart = end;
    yield;
  }
}

/** The place of the quote that ends a string, or one near `limit`. */
function endOfPiece(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit && at < text.length) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char !== BACKSLASH) at += 1;
    else at += text.charCodeAt(at + 1) === LOWER_U ? 6 : 2;
  }
  return at;
}

/** The container with all of its items; the last of them are not parsed yet. */
function finish(text: string, container: Level, end: number): Container {
  if (container.value === undefined) return JSON.parse(text.slice(container.start, end + 1)) as Container;
  if (container.itemEnd >= 0) skipRest(text, container, end);
  else appendRun(text, container, end);
  return container.value;
}

/** Parses the items before `end`, of which there must be one. */
function appendRun(text: string, container: Level, end: number): void {
  const run = text.slice(container.runStart, end);
  container.runStart = end + 1;
  if (container.isList) appendItems(container, JSON.parse(`[${run}]`) as unknown[]);
  else appendMembers(container, JSON.parse(`{${run}}`) as Record<string, unknown>);
}

function appendItems(container: Level, items: unknown[]): void {
  if (items.length === 0) throw invalid();
  if (container.value === undefined) {
    container.value = items;
    return;
  }
  const list = container.value as unknown[];
  for (const item of items) list.push(item);
}

function appendMembers(container: Level, members: Record<string, unknown>): void {
  const keys = Object.keys(members);
  if (keys.length === 0) throw invalid();
  if (container.value === undefined) {
    container.value = members;
    return;
  }
  for (const key of keys) setMember(container.value as Record<string, unknown>, key, members[key]);
}

/** Puts in a value that was parsed by itself, and before it what is not parsed yet. */
function appendValue(
  text: string,
  container: Level,
  { start }: Pick<Level, 'start'>,
  value: unknown,
  end: number,
): void {
  const { isList, itemStart, runStart } = container;
  if (container.itemEnd >= 0) throw invalid();
  container.itemEnd = end;
  if (itemStart > runStart) appendRun(text, container, itemStart - 1);
  container.value ??= isList ? [] : {};
  if (isList) {
    if (!isBlank(text, itemStart, start)) throw invalid();
    (container.value as unknown[]).push(value);
    return;
  }
  // A list, because `0` could continue a number that is there already.
  const [key] = Object.keys(JSON.parse(`{${text.slice(itemStart, start)}[]}`) as object);
  setMember(container.value as Record<string, unknown>, key!, value);
}

/** Continues after an item that was parsed by itself. */
function skipRest(text: string, container: Level, end: number): void {
  if (!isBlank(text, container.itemEnd, end)) throw invalid();
  container.itemEnd = -1;
  container.runStart = end + 1;
}

/** Sets an own member, whatever its name. */
function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const char = text.charCodeAt(at);
    if (char !== SPACE && char !== TAB && char !== LINE_FEED && char !== CARRIAGE_RETURN) return false;
  }
  return true;
}

const invalid = () => new SyntaxError('This is not JSON.');
