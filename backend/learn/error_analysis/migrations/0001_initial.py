import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('models', '0001_initial'),
        ('releases', '0001_initial'),
        ('samples', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ErrorMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=80)),
                ('tag', models.CharField(choices=[('over-inference', 'Over-inference'), ('wrong-subject', 'Wrong subject'), ('quoted-speech', 'Quoted speech'), ('unseen-wording', 'Unseen wording'), ('annotation-error', 'Annotation error')], max_length=30)),
                ('is_put', models.BooleanField(help_text='False where the tag was taken off.')),
                ('made_at', models.DateTimeField()),
                ('adapter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='error_marks', to='models.adapter')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='error_marks', to='samples.item')),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='releases.release')),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['item', 'code', 'tag'], name='error_marks_of_item')],
                'constraints': [models.CheckConstraint(condition=models.Q(('tag__in', ['over-inference', 'wrong-subject', 'quoted-speech', 'unseen-wording', 'annotation-error'])), name='error_tag_known')],
            },
        ),
        FreezeRows('ErrorMark'),
    ]
