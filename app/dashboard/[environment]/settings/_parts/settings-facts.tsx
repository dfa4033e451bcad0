import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { propertiesOf } from '#server/lib/locales.ts';
import { SELLER_FIELDS } from '#server/merchants/types.ts';
import type { SettingsView } from '#server/trpc/rows.ts';
import { BrandPreview } from '../../../_shared/brand-preview.tsx';
import { Facts, Panel } from '../../../_shared/panel.tsx';

function Color({ value }: { value: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      {/* Attributes of the picture: the page's policy allows no style in the markup. */}
      <svg aria-hidden="true" className="size-5 rounded-md border border-control">
        <rect width="100%" height="100%" fill={value} />
      </svg>
      <code className="font-mono text-sm">{value}</code>
    </span>
  );
}

/** The merchant's settings for people who may only read them. */
export function SettingsFacts({
  why,
  settings,
  locale,
}: {
  /** The reason why they cannot change anything. */ why: string;
  settings: SettingsView;
  locale: Locale;
}) {
  const t = translatorOf(locale, 'dashboard.settings');
  const { name, logoUrl, brandColor, defaultLocale, timeZone } = settings;
  const logo = logoUrl ? (
    <img
      src={logoUrl}
      alt=""
      className="mt-1 size-10 rounded-xl border border-line bg-white object-contain"
    />
  ) : (
    t('noLogo')
  );
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <Panel id="settings" title={t('page')}>
          <p className="-mt-2 mb-5 text-muted text-sm">{why}</p>
          <Facts
            facts={[
              { name: t('name'), value: name },
              { name: t('logo'), value: logo },
              {
                name: t('color'),
                value: brandColor ? <Color value={brandColor} /> : t('ownColor'),
              },
              {
                name: t('locale'),
                value: <span lang={defaultLocale}>{propertiesOf(defaultLocale).name}</span>,
              },
              { name: t('zone'), value: timeZone },
            ]}
          />
        </Panel>
        <Panel id="seller" title={t('seller.title')}>
          <Facts
            facts={SELLER_FIELDS.map((each) => ({
              name: t(`seller.${each}`),
              value: settings[each] ?? t('seller.none'),
            }))}
          />
        </Panel>
      </div>
      <BrandPreview locale={locale} name={name} logoUrl={logoUrl} color={brandColor} />
    </div>
  );
}
