import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

/** One way to write a part of a value. */
export interface Form {
  readonly text: string;
  /** Whether ASCII case does not count: escapes have hexadecimal digits of either case. */
  readonly isEscape: boolean;
}

/** The forms of each part of a value; one of each, in order, writes the value. */
export type Pattern = readonly (readonly Form[])[];

/** A place in a pattern. */
interface Node {
  readonly id: number;
  readonly byCode: Map<number, Node[]>;
  isEnd: boolean;
}

/** A value that may have begun `length` characters ago. */
interface Thread {
  readonly node: Node;
  readonly length: number;
}

/** All that may have begun, at one place in a text. */
interface State {
  readonly threads: readonly Thread[];
  /** How long the writings are that end here. */
  readonly ends: readonly number[];
  readonly next: Map<number, State>;
}

/** States are made as texts need them; when they hold more threads than these, they are made again. */
const MAX_THREADS = 100_000;

/**
 * Redacts all spellings of the patterns from `from` on, up to the position at which no match can have begun, and returns that position. Each
 * character is read once, however many patterns have the same beginning.
 */
export function valueAutomaton(
  patterns: readonly Pattern[],
): (text: Text, from: number, redact: RedactRange) => number {
  const root = rootOf(patterns);
  const idle: State = { threads: [], ends: [], next: new Map() };
  const states = new Map<string, State>([['', idle]]);
  let count = 0;

  const step = (state: State, code: number): State => {
    const threads: Thread[] = [];
    for (const { node, length } of [...state.threads, { node: root, length: 0 }]) {
      for (const next of node.byCode.get(code) ?? []) threads.push({ node: next, length: length + 1 });
    }
    const key = threads.map(({ node, length }) => `${node.id}:${length}`).join();
    let existing = states.get(key);
    if (!existing) {
      count += threads.length;
      if (count > MAX_THREADS) clear();
      existing = {
        threads,
        ends: threads.filter(({ node }) => node.isEnd).map(({ length }) => length),
        next: new Map(),
      };
      states.set(key, existing);
    }
    state.next.set(code, existing);
    return existing;
  };
  const clear = () => {
    count = 0;
    states.clear();
    idle.next.clear();
    states.set('', idle);
  };

  return (text, from, redact) => {
    let state = idle;
    for (let at = from; at < text.length; at++) {
      const code = text.string.charCodeAt(at);
      state = state.next.get(code) ?? step(state, code);
      if (state === idle) return at;
      for (const length of state.ends) redact(at + 1 - length, at + 1);
    }
    return text.length;
  };
}

function rootOf(patterns: readonly Pattern[]): Node {
  let nodes = 0;
  const newNode = (): Node => ({ id: nodes++, byCode: new Map(), isEnd: false });
  const root = newNode();
  for (const pattern of patterns) {
    let from = root;
    for (const forms of pattern) {
      const to = newNode();
      for (const form of forms) addPath(from, form, to, newNode);
      from = to;
    }
    from.isEnd = true;
  }
  return root;
}

function addPath(from: Node, { text, isEscape }: Form, to: Node, newNode: () => Node): void {
  let node = from;
  for (let at = 0; at < text.length; at++) {
    const next = at + 1 === text.length ? to : newNode();
    const char = text[at]!;
    for (const item of isEscape ? new Set([char.toLowerCase(), char.toUpperCase()]) : [char]) {
      const code = item.charCodeAt(0);
      const others = node.byCode.get(code);
      if (others) others.push(next);
      else node.byCode.set(code, [next]);
    }
    node = next;
  }
}
