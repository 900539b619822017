import { SelectInput } from '@/ui/form/inputs';
import { useSavedReplies } from './queries';

/** Selects a saved reply to insert. It's missing while there are none. */
export function SavedReply({ disabled, onSelect }: { disabled: boolean; onSelect: (body: string) => void }) {
  const { data = [] } = useSavedReplies();
  if (data.length === 0) return null;
  return (
    <SelectInput
      label="Saved reply"
      placeholder="Insert a saved reply"
      options={data.map(({ id, title }) => ({ value: String(id), label: title }))}
      value=""
      disabled={disabled}
      onChange={({ target }) => {
        const reply = data.find(({ id }) => String(id) === target.value);
        if (reply) onSelect(reply.body);
      }}
    />
  );
}
