import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { type NewUser, noUser } from './newUser';
import type { FormContext } from './payload';
import { type GroupFields, getDefaultGroup, type Requested } from './place';
import { makeDraftSchema, makeNewUserSchema } from './schema';

export type NewUserForm = ReturnType<typeof useNewUserForm>;

/** The form and the roster sources. The account type presets the user's group. */
export function useNewUserForm(start: NewUser, initial: FormContext, requested?: Requested) {
  const { user: acting } = useSession();
  const draft = initial.id !== undefined;
  // A draft can be saved while incomplete.
  const isSavingDraft = useRef(false);
  const form = useForm<NewUser>({
    resolver: (...args) =>
      zodResolver(
        isSavingDraft.current ? makeDraftSchema(start) : makeNewUserSchema({ draft, stored: start }),
      )(...args),
    shouldFocusError: false,
    defaultValues: start,
  });
  const { setValue, getValues, clearErrors, reset } = form;
  const [selected, setSelected] = useState<Pick<FormContext, 'sources' | 'removed'>>(initial);
  // A group administrator adds users to their own group.
  const ownGroup = acting.typeCd === 'PRAD' ? acting.grpInfoId : null;

  /** Otherwise a group would silently get the sources selected for another. */
  const dropSources = () => setSelected({ sources: [] });

  function setGroup(place: GroupFields) {
    for (const [name, value] of Object.entries(place)) setValue(name as keyof GroupFields, value);
    dropSources();
  }

  return {
    form,
    draft,
    isSavingDraft,
    ownGroup,
    context: { ...initial, sources: selected.sources, removed: selected.removed },
    setSources: (sources: FormContext['sources']) => setSelected({ ...selected, sources }),
    dropSources,
    setGroup,
    presetGroup() {
      clearErrors();
      setGroup(getDefaultGroup(getValues('typeCd'), ownGroup, requested));
    },
    clear() {
      reset(noUser);
      dropSources();
    },
  };
}
