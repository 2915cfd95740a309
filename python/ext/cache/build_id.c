// What tells one build of a library from another: the linker's build ID, a hash of what it wrote, which is the same on
// every machine that has the file. Where there is none, the file's size and time.
#include "fingerprint.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ID = 64, BEGINNING = 4096 }; // linkers put headers and notes there, and one read is all that it takes

static size_t aligned(size_t size) { return (size + 3) & ~(size_t)3; }

// The build ID among the notes of one segment; 0 where there is none.
static size_t id_in_notes(const char *notes, size_t size, unsigned char out_id[MAX_ID]) {
  Elf64_Nhdr note;
  for (size_t at = 0; at + sizeof note <= size;) {
    memcpy(&note, notes + at, sizeof note);
    size_t name = at + sizeof note, data = name + aligned(note.n_namesz);
    if (note.n_namesz > size || note.n_descsz > size || data + note.n_descsz > size) return 0;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + name, "GNU", 4) &&
        note.n_descsz <= MAX_ID) {
      memcpy(out_id, notes + data, note.n_descsz);
      return note.n_descsz;
    }
    at = data + aligned(note.n_descsz);
  }
  return 0;
}

static size_t id_of_file(int file, unsigned char out_id[MAX_ID]) {
  char bytes[BEGINNING];
  ssize_t got = read(file, bytes, sizeof bytes);
  Elf64_Ehdr header;
  Elf64_Phdr segment;
  if (got < (ssize_t)sizeof header) return 0;
  memcpy(&header, bytes, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof segment || header.e_phoff > (size_t)got ||
      header.e_phnum > ((size_t)got - header.e_phoff) / sizeof segment)
    return 0;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type != PT_NOTE || segment.p_offset > (size_t)got) continue;
    if (segment.p_filesz > (size_t)got - segment.p_offset) continue;
    size_t size = id_in_notes(bytes + segment.p_offset, segment.p_filesz, out_id);
    if (size) return size;
  }
  return 0;
}

// Of the file that was asked for last: each key asks for that of the compiler.
typedef struct known_build {
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec time;
  unsigned char id[MAX_ID];
  size_t id_size;
} known_build;

void pa_put_build(pa_hasher *to, const char *path) {
  static known_build known;
  struct stat status;
  if (stat(path, &status) != 0) {
    pa_put_tag(to, '-');
    return;
  }
  bool is_known = known.device == status.st_dev && known.inode == status.st_ino && known.size == status.st_size &&
                  !memcmp(&known.time, &status.st_mtim, sizeof known.time);
  if (!is_known) {
    known = (known_build){status.st_dev, status.st_ino, status.st_size, status.st_mtim, {0}, 0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    known.id_size = file >= 0 ? id_of_file(file, known.id) : 0;
    if (file >= 0) close(file);
  }
  pa_put_number(to, status.st_size);
  if (known.id_size) {
    pa_put(to, known.id, known.id_size);
    return;
  }
  pa_put_number(to, status.st_mtim.tv_sec);
  pa_put_number(to, status.st_mtim.tv_nsec);
}
