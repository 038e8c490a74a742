/** Listeners by event. A listener that throws does not stop the others. */
export interface Events<Map extends { [E in keyof Map]: unknown[] }> {
  on<E extends keyof Map>(event: E, listener: (...args: Map[E]) => void): () => void;
  emit<E extends keyof Map>(event: E, ...args: Map[E]): void;
}

/** @param onError called with everything that a listener throws */
export function createEvents<Map extends { [E in keyof Map]: unknown[] }>(
  onError: (error: unknown) => void,
): Events<Map> {
  const listeners: { [E in keyof Map]?: Set<(...args: Map[E]) => void> } = {};
  return {
    on(event, listener) {
      const set = listeners[event] ?? new Set();
      listeners[event] = set;
      set.add(listener);
      return () => void set.delete(listener);
    },
    emit(event, ...args) {
      for (const listener of listeners[event] ?? []) {
        try {
          listener(...args);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
