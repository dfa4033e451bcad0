import { expect, it } from 'vitest';
import type { SettingsView } from '#server/trpc/rows.ts';
import { afterSave, draftOf, shownIn, typedOver, withNewer } from './settings-draft.ts';

const SAVED: SettingsView = {
  name: 'Shop',
  brandColor: null,
  defaultLocale: 'en',
  timeZone: 'UTC',
  legalName: null,
  taxNumber: null,
  legalAddress: null,
  supportEmail: null,
  supportPhone: null,
  supportTelegram: null,
  termsUrl: null,
  refundPolicyUrl: null,
  logoUrl: null,
  version: 3,
};

it('what is typed stays when somebody else saves other fields, and theirs come in', () => {
  const typed = typedOver(draftOf(SAVED), { name: 'Kiosk' });
  const newer = withNewer(typed, { ...SAVED, timeZone: 'Asia/Tashkent', version: 4 });
  expect(shownIn(newer)).toMatchObject({ name: 'Kiosk', timeZone: 'Asia/Tashkent' });
  expect(newer.version).toBe(4);
});

it('what is typed stays when somebody else saves that very field, and Save meets the conflict', () => {
  const typed = typedOver(draftOf(SAVED), { name: 'Kiosk' });
  const newer = withNewer(typed, { ...SAVED, name: 'Theirs', version: 4 });
  expect(shownIn(newer).name).toBe('Kiosk');
  expect(newer.version).toBe(3);
  const newest = withNewer(newer, { ...SAVED, name: 'Theirs', brandColor: '#ab12cd', version: 5 });
  expect([shownIn(newest).brandColor, newest.version]).toEqual(['#ab12cd', 3]);
  expect(typedOver(newest, { name: 'Theirs' })).toMatchObject({ typed: {}, version: 5 });
});

it('what somebody else saved just as it is typed here is no conflict', () => {
  const typed = typedOver(draftOf(SAVED), { name: 'Kiosk' });
  const newer = { ...SAVED, name: 'Kiosk', version: 4 };
  expect(withNewer(typed, newer)).toEqual(draftOf(newer));
});

it('untouched fields show what is newest, and a value that was put back is untouched', () => {
  const typed = typedOver(draftOf(SAVED), { name: 'Kiosk', brandColor: '#ab12cd' });
  const back = typedOver(typed, { name: 'Shop', brandColor: null });
  expect(back.typed).toEqual({});
  const newer = { ...SAVED, name: 'Theirs', version: 4 };
  expect(withNewer(back, newer)).toEqual(draftOf(newer));
});

it('after a save its settings stand there, but for what was typed meanwhile', () => {
  const sending = typedOver(draftOf(SAVED), { name: ' Kiosk ', brandColor: '#AB12CD' });
  const sent = shownIn(sending);
  const saved = { ...SAVED, name: 'Kiosk', brandColor: '#ab12cd', version: 4 };
  expect(afterSave(sending, sent, saved)).toEqual(draftOf(saved));
  const typedOn = typedOver(sending, { timeZone: 'Asia/Tashkent' });
  const after = afterSave(typedOn, sent, saved);
  expect(after).toMatchObject({ typed: { timeZone: 'Asia/Tashkent' }, version: 4 });
});
