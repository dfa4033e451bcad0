import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { SavedView, ViewedList } from '#server/trpc/rows.ts';
import { ViewKeeper } from './view-keeper.tsx';

/** A view that every list of its kind has. */
export type BuiltInView = { text: string; href: string; isCurrent: boolean };

const TAB =
  'inline-flex min-h-10 items-center whitespace-nowrap border-b-2 px-3 text-sm pointer-coarse:min-h-11';

/**
 * A list's views as tabs: those that every list of its kind has, then the reader's own. A list that
 * is none of them can be kept; one of the reader's own can be renamed or deleted.
 *
 * @param props.query the list as it is shown, as it is kept: what follows the path
 */
export function ViewTabs({
  locale,
  builtIn,
  saved,
  mayKeep,
  ...keeper
}: {
  locale: Locale;
  environment: Environment;
  list: ViewedList;
  path: string;
  builtIn: BuiltInView[];
  /** Their queries as the list's addresses have them. */
  saved: (SavedView & { isCurrent: boolean })[];
  query: string;
  mayKeep: boolean;
}) {
  const t = translatorOf(locale, 'dashboard.views');
  const own = saved.find(({ isCurrent }) => isCurrent) ?? null;
  const tabs = [
    ...builtIn.map((view) => ({ ...view, key: view.href, isCurrent: !own && view.isCurrent })),
    ...saved.map(({ id, name, query, isCurrent }) => ({
      key: id,
      text: name,
      href: keeper.path + query,
      isCurrent,
    })),
  ];
  const isBuiltIn = tabs.some(({ isCurrent }) => isCurrent) && own === null;
  return (
    <div className="mb-3 flex flex-wrap items-end gap-x-2 border-line border-b">
      <nav aria-label={t('title')} className="min-w-24 flex-1">
        <ul className="-mb-px relative flex edge-fade overflow-x-auto">
          {tabs.map(({ key, text, href, isCurrent }) => (
            <li key={key} className="shrink-0">
              <a
                href={href}
                aria-current={isCurrent ? 'page' : undefined}
                className={`${TAB} ${
                  isCurrent
                    ? 'border-accent font-semibold text-ink'
                    : 'border-transparent text-muted hover:border-control hover:text-ink'
                }`}
              >
                <bdi className="max-w-48 truncate">{text}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {mayKeep && !isBuiltIn && (
        <ClientMessages locale={locale} namespaces={['dashboard.views']}>
          <ViewKeeper {...keeper} view={own} key={own?.id} />
        </ClientMessages>
      )}
    </div>
  );
}
