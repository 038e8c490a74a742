import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

/** One way to write a part of a value. */
export interface Form {
  readonly text: string;
  /** True if ASCII case is ignored, because hexadecimal digits can have both cases. */
  readonly isEscape: boolean;
}

/** The possible forms of each part of a value, in order. */
export type Pattern = readonly (readonly Form[])[];

/** A position in a pattern. */
interface Node {
  readonly id: number;
  readonly byCode: Map<number, Node[]>;
  isEnd: boolean;
}

/** A possible match that began `length` characters ago. */
interface Thread {
  readonly node: Node;
  readonly length: number;
}

/** All possible matches at one position of a text. */
interface State {
  readonly threads: readonly Thread[];
  /** The lengths of the matches that end here. */
  readonly ends: readonly number[];
  /** The next state by the code of the next character, as far as texts have needed it. */
  readonly next: Map<number, State>;
}

/** States are created when a text needs them. If they have more threads in total, all states are discarded. */
const MAX_THREADS = 100_000;

/**
 * Creates a function that redacts all spellings of the patterns, starting at `from`. It reads each character once, even
 * if many patterns begin with the same characters, until no match is in progress, and returns that position.
 */
export function valueAutomaton(
  patterns: readonly Pattern[],
): (text: Text, from: number, redact: RedactRange) => number {
  const root = rootOf(patterns);
  const idle: State = { threads: [], ends: [], next: new Map() };
  const states = new Map<string, State>([['', idle]]);
  let threadCount = 0;

  const step = (state: State, code: number): State => {
    const threads: Thread[] = [];
    for (const { node, length } of [...state.threads, { node: root, length: 0 }]) {
      for (const next of node.byCode.get(code) ?? []) threads.push({ node: next, length: length + 1 });
    }
    const key = threads.map(({ node, length }) => `${node.id}:${length}`).join();
    let nextState = states.get(key);
    if (!nextState) {
      threadCount += threads.length;
      if (threadCount > MAX_THREADS) clear();
      nextState = {
        threads,
        ends: threads.filter(({ node }) => node.isEnd).map(({ length }) => length),
        next: new Map(),
      };
      states.set(key, nextState);
    }
    state.next.set(code, nextState);
    return nextState;
  };
  const clear = () => {
    threadCount = 0;
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
  let nodeCount = 0;
  const newNode = (): Node => ({ id: nodeCount++, byCode: new Map(), isEnd: false });
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
    for (const spelling of isEscape ? new Set([char.toLowerCase(), char.toUpperCase()]) : [char]) {
      const code = spelling.charCodeAt(0);
      const successors = node.byCode.get(code);
      if (successors) successors.push(next);
      else node.byCode.set(code, [next]);
    }
    node = next;
  }
}
