# How C becomes the modules that c/modules.sha256 lists; part of the Makefile.

# -O3 would be a tenth larger and no faster, and so would code twice for the values of a condition: after a
# branch (jump threading) and of partly known expressions the kernel would take 0.3 kB more (brotli).
SMALL := -O2 -mllvm -jump-threading-threshold=0 -mllvm -enable-pre=false
SIMD := -msimd128 -mbulk-memory -sMAXIMUM_MEMORY=4294967296
PLAIN := -sMAXIMUM_MEMORY=2147418112
RELAXED := -msimd128 -mrelaxed-simd -mbulk-memory

DECLARED = grep -oE '\battn_[a-z0-9_]+\(' attn.h | tr -d '(' | sort -u
OF_LANGUAGE = grep -oE '\battn_language_[a-z0-9_]+\(' language/language.h | tr -d '(' | sort -u
KERNEL := $(shell $(DECLARED))
LANGUAGE := $(shell $(OF_LANGUAGE)) \
  attn_random_normal attn_random_uniform attn_softmax_forward \
  attn_attention_forward attn_attention_forward_scratch
IDENTITY := identity_hash identity_groups
commas = $(shell echo $1 | tr ' ' ,)

# $(call module,EXPORTS,FLAGS) compiles the prerequisites in C to one module without imports, in one call,
# since emcc takes a second to start. Stages of the kernel stay functions of their own: put back into one
# loop, a long first call would spend its life in an engine's baseline code. emcc exports more, for its own
# JavaScript; wasm-metadce takes that out, and keeps the names of functions where EMCC_CFLAGS asks for them.
define module
mkdir -p $(@D)
emcc $(CFLAGS) $(SMALL) $2 -I. -o $@ --no-entry \
  -sTOTAL_STACK=65536 -sINITIAL_MEMORY=131072 -sALLOW_MEMORY_GROWTH=1 \
  -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1 \
  -sEXPORTED_FUNCTIONS=$(call commas,$(1:%=_%)) -Wl,--export=__heap_base $(filter %.c,$^)
printf '{"name":"%s","export":"%s","root":true}\n' $(foreach f,$1 memory __heap_base,$f $f) | \
  paste -sd, - | sed 's/.*/[&]/' >$@.json
wasm-metadce $@ $(if $(EMCC_CFLAGS),-g) --all-features --graph-file=$@.json -o $@ >/dev/null
rm $@.json
endef

# Debian's emcc, 3.1.6, has other opcodes of fused multiply-add than engines. There clang-19 compiles with
# emcc's headers and its linker links, because clang would run emcc's wasm-opt, which is as old.
emcc-is-new = $(shell { echo 3.1.69; emcc --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1; } | \
  sort -VC && echo yes)
define module-of-clang
mkdir -p $@.objects
cd $@.objects && clang-19 --target=wasm32-unknown-emscripten "--sysroot=$$(em-config CACHE)/sysroot" \
  $(CFLAGS) $(SMALL) -mllvm -disable-lsr $2 -c $(SOURCES:%=../../../c/%)
wasm-ld-19 --no-entry --strip-$(if $(EMCC_CFLAGS),debug,all) --compress-relocations -z stack-size=65536 \
  --initial-memory=131072 --max-memory=4294967296 --export=__heap_base $(1:%=--export=%) \
  -o $@ $(addprefix $@.objects/,$(notdir $(SOURCES:.c=.o)))
endef

# Records the list of sources and the flags of the environment, since no file's date shows them.
$(BUILD)/inputs: FORCE
	mkdir -p $(@D)
	echo '$(SOURCES) $(EMCC_CFLAGS)' | cmp -s - $@ || echo '$(SOURCES) $(EMCC_CFLAGS)' >$@

INPUTS := $(SOURCES) $(HEADERS) Makefile wasm.mk $(BUILD)/inputs
LINKED := $(BUILD)/linked
# $(call modules,NAME,EXPORTS): the three builds of a module.
define modules
$(LINKED)/$1.wasm: $(INPUTS)
	$$(call module,$2,$(SIMD))
$(LINKED)/$1-plain.wasm: $(INPUTS)
	$$(call module,$2,$(PLAIN))
$(LINKED)/$1-relaxed.wasm: $(INPUTS)
	$$(if $$(emcc-is-new),$$(call module,$2,$(RELAXED)),$$(call module-of-clang,$2,$(RELAXED)))
endef
$(eval $(call modules,kernel,$(KERNEL)))
$(eval $(call modules,language,$(LANGUAGE)))
