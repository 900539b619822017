import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { errorMessage } from '@/shared/errorMessage';
import * as paths from '@/shared/paths';
import type { View } from '@/shared/savedViews';
import { ActionMenu } from '@/ui/ActionMenu';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { fadingRow, markEdges } from '@/ui/fadingRow';
import { formatCount } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import styles from './openbills.module.css';
import {
  type Definition,
  getStoredView,
  usePayers,
  useRemoveView,
  useSaveView,
  useViewCounts,
  type ViewToSave,
} from './queries';
import { makePayerView, type Starter, starters } from './starters';
import { ViewDialog } from './ViewDialog';

interface Props {
  /** The user's own. */
  tins: readonly string[];
  views: readonly View[];
  /** The open view. */
  view: View | undefined;
  run: number;
  /** The list as a view saves it; null if a view can't. */
  definition: Definition | null;
  /** It differs from the saved view. */
  changed: boolean;
  onSaved: (view: View) => void;
}

const saveFailed = "Error: Couldn't save the view. Try again.";

/** The views as tabs with their counts, and the actions on them. */
export const SavedViews = memo(function SavedViews({
  tins,
  views,
  view,
  run,
  definition,
  changed,
  onSaved,
}: Props) {
  const navigate = useNavigate();
  const tabs = views.filter((one) => one.id === view?.id || (one.pinned && isRelevant(one, tins)));
  const others = views.filter((one) => !tabs.includes(one));
  const { data: counts } = useViewCounts(views, run);
  const save = useSaveView();
  const remove = useRemoveView();
  const [draft, setDraft] = useState<{ title: string; view: ViewToSave; newer?: View } | null>(null);
  const [removing, setRemoving] = useState(false);
  const [menu, setMenu] = useState<'' | 'view' | 'others'>('');
  const open = (id: string) => void navigate(paths.toOpenBillsView(id));
  const openSaved = (saved: View) => {
    setDraft(null);
    if (saved.id === view?.id) onSaved(saved);
    else open(saved.id);
  };
  const saveAsNew = () =>
    definition &&
    setDraft({ title: 'Save view', view: { name: '', shared: false, pinned: true, definition } });
  /** Saves without asking. If another user saved first, it asks after all. */
  const saveDirectly = async (text: ViewToSave, said: string) => {
    try {
      openSaved(await save.mutateAsync(text));
      toast.success(said);
    } catch (error) {
      const newer = getStoredView(error);
      if (newer) return setDraft({ title: `Save ${text.name}`, view: text, newer });
      toast.error(errorMessage(error, saveFailed));
    }
  };
  const own = views.filter(({ mine }) => mine);
  const at = own.findIndex(({ id }) => id === view?.id);
  const move = (position: number) => view && void saveDirectly({ ...view, position }, `${view.name} moved`);
  const readOnlyReason = 'Only the owner or a group administrator can change this view.';
  const actions = view
    ? [
        {
          label: 'Save changes',
          disabled: !changed || !view.changeable || !definition,
          reason: view.changeable ? 'No changes to save' : readOnlyReason,
          onSelect: () => definition && void saveDirectly({ ...view, definition }, `${view.name} saved`),
        },
        { label: 'Save as new view', disabled: !definition, onSelect: saveAsNew },
        {
          label: 'Rename or share',
          disabled: !view.changeable,
          reason: readOnlyReason,
          onSelect: () => setDraft({ title: view.name, view }),
        },
        ...(at > 0 ? [{ label: 'Move left', onSelect: () => move(at - 1) }] : []),
        ...(at >= 0 && at < own.length - 1 ? [{ label: 'Move right', onSelect: () => move(at + 1) }] : []),
        {
          label: 'Delete view',
          disabled: !view.changeable,
          reason: readOnlyReason,
          onSelect: () => setRemoving(true),
        },
      ]
    : [];
  return (
    <div className={styles.views}>
      <nav ref={markEdges} aria-label="Views" className={fadingRow}>
        <ul className={styles.tabs}>
          <li>
            <Link to={paths.openBills} activeOptions={{ exact: true }} className={styles.tab}>
              All
            </Link>
          </li>
          {tabs.map(({ id, name, mine, owner }) => (
            <li key={id}>
              <Link
                {...paths.toOpenBillsView(id)}
                className={styles.tab}
                title={mine ? undefined : `Shared by ${owner || 'a former user'}`}
              >
                {name} <span className={styles.count}>{formatViewCount(counts, id)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.tools}>
        {views.length === 0 && (
          <Starters
            onChoose={({ name, filter }) =>
              void saveDirectly(
                {
                  name,
                  shared: false,
                  pinned: true,
                  definition: { filter: { ...filter, marked: 'open' }, order: 'due' },
                },
                `${name} saved as a view`,
              )
            }
          />
        )}
        {others.length > 0 && (
          <ActionMenu
            open={menu === 'others'}
            onOpenChange={(is) => setMenu(is ? 'others' : '')}
            actions={others.map(({ id, name }) => ({ label: name, onSelect: () => open(id) }))}
          >
            <Button size="small">More views ({formatCount(others.length)})</Button>
          </ActionMenu>
        )}
        {view ? (
          <ActionMenu
            open={menu === 'view'}
            onOpenChange={(is) => setMenu(is ? 'view' : '')}
            actions={actions}
          >
            <Button
              size="small"
              variant={changed && view.changeable ? 'primary' : 'secondary'}
              busy={save.isPending}
            >
              {changed ? 'View (changed)' : 'View'}
            </Button>
          </ActionMenu>
        ) : (
          <Button size="small" disabled={!definition} onClick={saveAsNew}>
            Save view
          </Button>
        )}
      </div>
      {draft && <ViewDialog {...draft} onClose={() => setDraft(null)} onSaved={openSaved} />}
      <ConfirmDialog
        open={removing}
        title={`Delete ${view?.name}?`}
        confirmLabel="Delete"
        cancelLabel="Keep view"
        busy={remove.isPending}
        onConfirm={() =>
          view &&
          remove.mutate(view.id, {
            onSuccess: () => {
              toast.success(`${view.name} deleted`);
              void navigate({ to: paths.openBills });
            },
            onError: (error) =>
              toast.error(errorMessage(error, "Error: Couldn't delete the view. Try again.")),
            onSettled: () => setRemoving(false),
          })
        }
        onCancel={() => setRemoving(false)}
      >
        <p>
          {view?.shared
            ? "Your group will lose this view. The bills aren't affected."
            : "The bills aren't affected."}
        </p>
      </ConfirmDialog>
    </div>
  );
});

/** Another user's view of Tax IDs that this user doesn't have is always empty. */
const isRelevant = ({ mine, definition }: View, own: readonly string[]) => {
  const { tins } = definition.filter;
  return mine || !tins?.length || tins.some((tin) => own.includes(tin));
};

const formatViewCount = (counts: ReadonlyMap<string, number> | undefined, id: string) => {
  const count = counts?.get(id);
  return count === undefined ? '' : formatCount(count);
};

/** Suggested views, for users without any. */
function Starters({ onChoose }: { onChoose: (starter: Starter) => void }) {
  const { data: payers = [] } = usePayers();
  const [isOpen, setOpen] = useState(false);
  return (
    <ActionMenu
      open={isOpen}
      onOpenChange={setOpen}
      actions={[...starters, ...payers.map(({ name }) => makePayerView(name))].map((starter) => ({
        label: starter.name,
        onSelect: () => onChoose(starter),
      }))}
    >
      <Button size="small">Suggested views</Button>
    </ActionMenu>
  );
}
