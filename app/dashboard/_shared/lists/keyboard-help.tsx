'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { TitledDialog, useDialog } from '../forms/confirm-dialog.tsx';
import { areKeysEverywhere, keepKeysEverywhere } from './key-scope.ts';
import { useListKeys } from './use-list-keys.ts';

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key) => (
    <kbd
      key={key}
      className="inline-block min-w-7 whitespace-nowrap rounded-md border border-line bg-sunk px-1.5 py-0.5 text-center font-sans text-xs"
    >
      {key}
    </kbd>
  ));
}

/**
 * Tells a list's keys on a press of its button or of `?`. Keys of one character can be confined to
 * a focused row (WCAG 2.1.4): speech input, or a hand on the keyboard, would trigger them elsewhere.
 */
export function KeyboardHelp({ selects }: { selects: boolean }) {
  const t = useTranslations('dashboard.keys');
  const dialog = useDialog();
  const [isEverywhere, setEverywhere] = useState(true);
  useEffect(() => setEverywhere(areKeysEverywhere()), []);
  useListKeys({ isEverywhere, onHelp: () => dialog.open('keyboard-help') });
  const lines: [string, readonly string[]][] = [
    [t('next'), ['J']],
    [t('previous'), ['K']],
    [t('enter'), ['Enter']],
    ...(selects ? ([[t('select'), ['X']]] as [string, string[]][]) : []),
    [t('search'), ['/']],
    [t('everything'), ['Ctrl K', '⌘ K']],
    [t('help'), ['?']],
  ];
  return (
    <TitledDialog
      dialog={dialog}
      opener={{
        id: 'keyboard-help',
        className:
          'needs-script inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 text-muted text-sm hover:text-ink max-sm:hidden pointer-coarse:min-h-11',
        children: (
          <>
            <Keys keys={['?']} /> {t('title')}
          </>
        ),
      }}
      title={t('title')}
    >
      <dl className="mt-4 grid grid-cols-[1fr_auto] gap-x-4 gap-y-2.5 text-[0.9375rem]">
        {lines.map(([does, keys]) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd className="flex justify-end gap-1">
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      {selects && <p className="mt-3 text-muted text-sm">{t('range')}</p>}
      <label className="mt-4 flex gap-2.5 border-line border-t pt-4 text-[0.9375rem]">
        <input
          type="checkbox"
          className="mt-1 size-4 shrink-0"
          checked={isEverywhere}
          onChange={({ target: { checked } }) => {
            setEverywhere(checked);
            keepKeysEverywhere(checked);
          }}
        />
        <span>
          {t('everywhere')}
          <span className="block text-muted text-sm">{t('everywhereText')}</span>
        </span>
      </label>
      <div className="mt-5 flex justify-end">
        <Dialog.Close className="button button-plain">{t('close')}</Dialog.Close>
      </div>
    </TitledDialog>
  );
}
