import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Notice } from './parts.js';

/** A component whose code is loaded when it is first shown, or earlier by `preload`. */
export type LazyComponent<Props> = ComponentType<Props> & { preload(): void };

/** @param load imports the module of the component; called at each mount and `preload` until it has succeeded */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  const state = signal<{ readonly Loaded?: ComponentType<Props>; readonly hasFailed?: true }>({});
  const preload = () => {
    if (state.value.Loaded) return;
    load().then(
      (Loaded) => {
        state.value = { Loaded };
      },
      () => {
        state.value = { hasFailed: true };
      },
    );
  };
  function Lazy(props: Props) {
    useEffect(preload, []);
    const { Loaded, hasFailed } = state.value;
    if (Loaded) return <Loaded {...props} />;
    if (!hasFailed) return <Notice title="Loading …" />;
    return (
      <Notice kind="bad" title="This view could not be loaded.">
        Reload the page when the server is back.
      </Notice>
    );
  }
  return Object.assign(Lazy, { preload });
}
