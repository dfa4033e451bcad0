'use client';

import { Tabs } from '@base-ui/react/tabs';
import { type ReactNode, useSyncExternalStore } from 'react';
import { choose, currentChoice, subscribe, type Tab, tabFor } from './language-choice.ts';

/** Shows one panel of several; the choice applies to all groups and is remembered. */
export function CodeTabs({
  label,
  tabs,
  remembered,
  panels,
}: {
  label: string;
  tabs: Tab[];
  /** The reader's choice on an earlier page, as the server read it. */
  remembered: string | null;
  panels: ReactNode[];
}) {
  const choice = useSyncExternalStore(
    subscribe,
    () => currentChoice() ?? remembered,
    () => remembered,
  );
  const at = tabFor(tabs, choice);
  const chooseAt = (index: number) => {
    const tab = tabs[index];
    if (tab) choose(tab);
  };
  return (
    <Tabs.Root value={at} onValueChange={chooseAt} className="docs-tabs">
      <Tabs.List activateOnFocus aria-label={label} className="needs-script">
        {tabs.map((tab, index) => (
          <Tabs.Tab key={tab.label} value={index}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab, index) => (
        <Tabs.Panel key={tab.label} value={index} keepMounted>
          {panels[index]}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
