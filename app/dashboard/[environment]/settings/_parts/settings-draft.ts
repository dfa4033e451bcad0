import { SELLER_FIELDS } from '#server/merchants/types.ts';
import type { SettingsView } from '#server/trpc/rows.ts';

const FIELDS = ['name', 'brandColor', 'defaultLocale', 'timeZone', ...SELLER_FIELDS] as const;

export type SettingsFields = Pick<SettingsView, (typeof FIELDS)[number]>;

/** The settings' form: the settings as last seen, and the changes typed over them. */
export type SettingsDraft = {
  seen: SettingsView;
  typed: Partial<SettingsFields>;
  /** The version that Save names: older if somebody else has saved a field typed here. */
  version: number;
};

export function draftOf(seen: SettingsView): SettingsDraft {
  return { seen, typed: {}, version: seen.version };
}

/** The content of the fields. */
export function shownIn({ seen, typed }: SettingsDraft): SettingsFields {
  const all = { ...seen, ...typed };
  return Object.fromEntries(FIELDS.map((each) => [each, all[each]])) as SettingsFields;
}

/** Adds what is typed, except where it equals the settings. */
export function typedOver(draft: SettingsDraft, part: Partial<SettingsFields>): SettingsDraft {
  const { seen } = draft;
  const all = { ...draft.typed, ...part };
  const keys = FIELDS.filter((each) => each in all && all[each] !== seen[each]);
  const typed = Object.fromEntries(keys.map((each) => [each, all[each]]));
  return { seen, typed, version: keys.length > 0 ? draft.version : seen.version };
}

/**
 * Takes in settings that somebody else saved meanwhile: they fill the fields that nobody typed
 * into. If a typed field differs, Save meets a conflict.
 */
export function withNewer(draft: SettingsDraft, seen: SettingsView): SettingsDraft {
  const next = typedOver({ ...draft, seen }, {});
  const isBehind =
    draft.version !== draft.seen.version ||
    FIELDS.some((each) => each in next.typed && seen[each] !== draft.seen[each]);
  return isBehind ? next : { ...next, version: seen.version };
}

/** Takes in the settings just saved; text typed meanwhile stays. */
export function afterSave(
  draft: SettingsDraft,
  sent: SettingsFields,
  seen: SettingsView,
): SettingsDraft {
  const { typed } = draft;
  const since = FIELDS.filter((each) => each in typed && typed[each] !== sent[each]);
  return typedOver(draftOf(seen), Object.fromEntries(since.map((each) => [each, typed[each]])));
}
