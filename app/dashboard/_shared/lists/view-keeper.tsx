'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Environment } from '#server/merchants/types.ts';
import type { SavedView, ViewedList } from '#server/trpc/rows.ts';
import { dashboardClient } from '../client.ts';
import { messageOf } from '../failure-text.ts';
import { BusyButton } from '../forms/busy-button.tsx';
import { CheckedInput } from '../forms/checked-input.tsx';
import { DialogButtons, TitledDialog, useDialog } from '../forms/confirm-dialog.tsx';
import { FormField } from '../forms/form-field.tsx';
import { useCall } from '../forms/use-call.ts';

/** As the server does. */
const MOST_CHARACTERS = 40;

/** Keeps the shown list under a name; or renames or deletes the view that it is. */
export function ViewKeeper({
  environment,
  list,
  path,
  query,
  view,
}: {
  environment: Environment;
  list: ViewedList;
  path: string;
  query: string;
  view: SavedView | null;
}) {
  const t = useTranslations('dashboard.views');
  const router = useRouter();
  const dialog = useDialog();
  const id = useId();
  const { call, isBusy, fault, forget } = useCall(messageOf);
  const [isDeleting, setDeleting] = useState(false);
  const { views } = dashboardClient(environment);

  const keep = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const viewName = String(new FormData(event.currentTarget).get('name'));
    void call(async () => {
      if (view) await views.rename.mutate({ viewId: view.id, viewName });
      else await views.save.mutate({ list, viewName, query: query.slice(1) });
      dialog.close();
      if (view) router.refresh();
      else router.push(path + query);
    });
  };
  const remove = () =>
    void call(async () => {
      if (view) await views.delete.mutate({ viewId: view.id });
      dialog.close();
      router.push(path);
    });

  return (
    <TitledDialog
      dialog={dialog}
      opener={{
        className:
          'needs-script mb-1 inline-flex min-h-8 min-w-0 items-center rounded-control px-2 text-left text-accent text-sm hover:text-accent-hover pointer-coarse:min-h-11',
        children: view ? t('edit') : t('save'),
      }}
      title={view ? t(isDeleting ? 'deleteTitle' : 'edit') : t('save')}
      onOpenChange={() => {
        setDeleting(false);
        forget();
      }}
    >
      {isDeleting ? (
        <>
          <p className="mt-2 text-muted [overflow-wrap:anywhere]">
            {t('deleteText', { name: view?.name ?? '' })}
          </p>
          {fault && <p className="field-error">{fault}</p>}
          <DialogButtons
            confirm={t('delete')}
            back={t('back')}
            isDisabled={isBusy}
            isDestructive
            onConfirm={remove}
          />
        </>
      ) : (
        <ScriptForm onSubmit={keep} className="mt-3 grid gap-4">
          <FormField id={id} label={t('name')}>
            <CheckedInput
              id={id}
              name="name"
              required
              maxLength={MOST_CHARACTERS}
              defaultValue={view?.name}
              autoComplete="off"
            />
          </FormField>
          <p role="alert" className="field-error !mt-0 empty:hidden">
            {fault}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            {view && (
              <button
                type="button"
                className="button button-danger mr-auto"
                onClick={() => setDeleting(true)}
              >
                {t('delete')}
              </button>
            )}
            <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
              {t('confirm')}
            </BusyButton>
          </div>
        </ScriptForm>
      )}
    </TitledDialog>
  );
}
